import { Deliveries, DeliveriesQuery, WebhookParams } from '../../contract/organization/webhooks.ts';
import { listWebhookDeliveries } from '../../domain/webhooks/deliveries.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries',
    can: 'webhooks.read',
    summary: 'List the deliveries of a webhook',
    description: 'Answers one page of deliveries, newest first. Continue with `nextCursor`.',
    params: WebhookParams,
    query: DeliveriesQuery,
    answers: { 200: Deliveries },
    refuses: ['OrganizationNotFound', 'OperationNotSupportedInPersonalOrganizations', 'WebhookNotFound'],
  },
  async ({ params, query, caller }) => listWebhookDeliveries(caller, params, query),
);
