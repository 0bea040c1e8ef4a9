import { Members } from '../../contract/organization/members.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { listMembers, renderMember } from '../../domain/members/members.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/{orgId}/members',
    can: 'members.read',
    summary: 'List the members of an organization',
    description: 'Answers all members, owners first, then by name. They log in to the console.',
    params: OrganizationParams,
    answers: { 200: Members },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params, caller }) => ({ items: (await listMembers(caller, params.orgId)).map(renderMember) }),
);
