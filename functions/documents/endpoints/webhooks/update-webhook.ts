import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { WebhookModel, WebhookParams, WebhookRequest } from '../../contract/organization/webhooks.ts';
import { renderWebhook, updateWebhook } from '../../domain/webhooks/registrations.ts';
import { documents } from '../../service.ts';

/** Requires the token again, and with another address the secret, so an API key alone cannot redirect them. */
export const handler = documents.endpoint(
  {
    route: 'PUT /api/organizations/{orgId}/webhooks/{webhookId}',
    can: 'webhooks.change',
    summary: 'Change a webhook',
    description:
      'Replaces the address, the authentication and the token. Deliveries that wait go to the new address with the new token.',
    params: WebhookParams,
    body: jsonBody(WebhookRequest),
    answers: { 200: WebhookModel },
    refuses: [
      'OrganizationNotFound',
      'OperationNotSupportedInPersonalOrganizations',
      'WebhookNotFound',
      'InvalidWebhookUrl',
    ],
  },
  async ({ params: { orgId, webhookId }, body, caller }) =>
    renderWebhook(await updateWebhook(caller, orgId, webhookId, body)),
);
