import { ADMINISTRATOR, credentials } from '../../service.ts';
import { Members, SubscriptionParams } from '../../tenants/contract.ts';
import { memberChanges, renderMember } from '../../tenants/domain/members/members.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/subscriptions/{id}/members',
    can: 'members.read',
    summary: 'List the members of an organization',
    description: 'Answers all members, administrators first, then by name. They log in to the console.',
    tag: 'members',
    permission: ADMINISTRATOR,
    params: SubscriptionParams,
    answers: { 200: Members },
    refuses: ['SubscriptionNotFound'],
  },
  async ({ params, caller }) => ({
    items: (await memberChanges.listMembers(caller, params.id)).map(renderMember),
  }),
);
