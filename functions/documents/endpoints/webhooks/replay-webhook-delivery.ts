import { DeliveryModel, DeliveryParams } from '../../contract/organization/webhooks.ts';
import { replayWebhookDelivery } from '../../domain/webhooks/deliveries.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay',
    can: 'webhooks.change',
    summary: 'Send a finished delivery once more',
    description: 'The body and its `webhook-id` stay the same. It is tried as often as at first.',
    params: DeliveryParams,
    answers: { 200: DeliveryModel },
    refuses: [
      'OrganizationNotFound',
      'OperationNotSupportedInPersonalOrganizations',
      'WebhookNotFound',
      'DeliveryNotFound',
      'DeliveryNotFinished',
      'EventNotKept',
    ],
  },
  async ({ params: { deliveryId, ...webhook }, caller }) =>
    replayWebhookDelivery(caller, webhook, deliveryId),
);
