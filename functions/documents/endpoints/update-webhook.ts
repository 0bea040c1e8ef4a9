import { jsonBody } from '../../../shared/http/body/reader.ts';
import { WebhookModel, WebhookParams, WebhookRequest } from '../contract/webhooks.ts';
import { shownWebhook, updateWebhook } from '../domain/webhooks/webhooks.ts';
import { documents } from '../service.ts';

/** The token is asked for again, so that nobody who knows only a key can have it sent to an address of theirs. */
export const handler = documents.endpoint(
  {
    route: 'PUT /api/organizations/{orgId}/webhooks/{webhookId}',
    summary: 'Change a webhook',
    description: 'Deliveries that wait go to the new address with the new token.',
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
