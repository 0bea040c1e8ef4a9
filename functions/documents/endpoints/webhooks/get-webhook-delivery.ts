import { DeliveryDetails, DeliveryParams } from '../../contract/webhooks.ts';
import { getWebhookDelivery } from '../../domain/webhooks/deliveries.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}',
    summary: 'One delivery, with what was sent and every attempt',
    params: DeliveryParams,
    answers: { 200: DeliveryDetails },
    refuses: [
      'OrganizationNotFound',
      'OperationNotSupportedInPersonalOrganizations',
      'WebhookNotFound',
      'DeliveryNotFound',
    ],
  },
  async ({ params: { deliveryId, ...webhook }, caller }) => getWebhookDelivery(caller, webhook, deliveryId),
);
