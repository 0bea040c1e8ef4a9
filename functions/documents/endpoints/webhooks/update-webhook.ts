import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { WebhookModel, WebhookParams, WebhookRequest } from '../../contract/webhooks.ts';
import { shownWebhook, updateWebhook } from '../../domain/webhooks/webhooks.ts';
import { documents } from '../../service.ts';

/** The token is asked for again, and with another address the secret: a key alone has neither used elsewhere. */
export const handler = documents.endpoint(
  {
    route: 'PUT /api/organizations/{orgId}/webhooks/{webhookId}',
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
    shownWebhook(await updateWebhook(orgId, webhookId, body, caller)),
);
