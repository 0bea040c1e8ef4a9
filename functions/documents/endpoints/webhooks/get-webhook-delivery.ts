import { DeliveryDetails, DeliveryParams } from '../../contract/organization/webhooks.ts';
import { getWebhookDelivery } from '../../domain/webhooks/deliveries.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}',
    can: 'webhooks.read',
    summary: 'Read a delivery, with its body and every attempt',
    description: 'Answers the body as it was sent and the answer of the receiver to each attempt.',
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
