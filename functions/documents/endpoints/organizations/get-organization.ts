import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { OrganizationWithWebhooks } from '../../contract/organization/webhooks.ts';
import { getOrganization } from '../../domain/webhooks/registrations.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/{orgId}',
    can: 'webhooks.read',
    summary: 'Read an organization, with its webhooks',
    description:
      'Answers the organization and the webhooks that are registered for it. Tokens and secrets of webhooks are withheld.',
    params: OrganizationParams,
    answers: { 200: OrganizationWithWebhooks },
    refuses: ['OrganizationNotFound'],
  },
  async ({ params, caller }) => getOrganization(caller, params.orgId),
);
