import { TestSent, WebhookParams } from '../../contract/organization/webhooks.ts';
import { sendWebhookTest } from '../../domain/webhooks/deliveries.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/organizations/{orgId}/webhooks/{webhookId}/test',
    can: 'webhooks.change',
    summary: 'Send a test event to a webhook',
    description: 'The type of the event is `WebhookTest`. It is tried once.',
    params: WebhookParams,
    answers: { 200: TestSent },
    refuses: ['OrganizationNotFound', 'OperationNotSupportedInPersonalOrganizations', 'WebhookNotFound'],
  },
  async ({ params, caller }) => sendWebhookTest(caller, params, Date.now()),
);
