import { OrganizationParams } from '../../contract/organizations.ts';
import { OrganizationWithWebhooks } from '../../contract/webhooks.ts';
import { getOrganization } from '../../domain/webhooks/registrations.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/{orgId}',
    summary: 'One organization, with its webhooks',
    params: OrganizationParams,
    answers: { 200: OrganizationWithWebhooks },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params, caller }) => getOrganization(caller, params.orgId),
);
