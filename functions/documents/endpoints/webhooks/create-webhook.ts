import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { OrganizationParams } from '../../contract/organization/organizations.ts';
import { CreatedWebhook, WebhookRequest } from '../../contract/organization/webhooks.ts';
import { createWebhook } from '../../domain/webhooks/registrations.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/organizations/{orgId}/webhooks',
    can: 'webhooks.change',
    summary: 'Register a webhook',
    description:
      'Events of the organization are sent to this address from now on. A personal organization has no webhooks.',
    params: OrganizationParams,
    body: jsonBody(WebhookRequest),
    answers: { 200: CreatedWebhook },
    refuses: [
      'OrganizationNotFound',
      'OperationNotSupportedInPersonalOrganizations',
      'MaxWebhooksLimitReached',
      'InvalidWebhookUrl',
    ],
  },
  async ({ params, body, caller }) => {
    const { id } = await createWebhook(caller, params.orgId, body);
    return { id, webhookId: id };
  },
);
