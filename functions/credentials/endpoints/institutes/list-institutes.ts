import { credentials } from '../../service.ts';
import { Institutes, SubscriptionParams } from '../../tenants/contract.ts';
import { listInstitutes, renderInstitute } from '../../tenants/domain/institutes.ts';

export const handler = credentials.endpoint(
  {
    route: 'GET /api/subscriptions/{id}/institutes',
    can: 'institutes.read',
    summary: 'List the institutes of an organization',
    description: 'Answers all institutes, with the people who sign for each.',
    tag: 'institutes',
    params: SubscriptionParams,
    answers: { 200: Institutes },
    refuses: ['SubscriptionNotFound'],
  },
  async ({ params, caller }) => ({ items: (await listInstitutes(caller, params.id)).map(renderInstitute) }),
);
