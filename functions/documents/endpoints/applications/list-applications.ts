import { Applications } from '../../contract/organization/applications.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { listOwnApplications } from '../../domain/members/applications.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/{orgId}/applications',
    can: 'applications.read',
    summary: 'List the applications of an organization',
    description: 'Answers those that the organization made, with their keys. Secrets are not stored.',
    params: OrganizationParams,
    answers: { 200: Applications },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params, caller }) => ({ items: [...(await listOwnApplications(caller, params.orgId))] }),
);
