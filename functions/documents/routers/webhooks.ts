import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/** Webhooks and their deliveries: seldom called, so that one function has all of them. */
export const handler = routeTo(documents, {
  'POST /api/organizations/{orgId}/webhooks': () => import('../endpoints/webhooks/create-webhook.ts'),
  'DELETE /api/organizations/{orgId}/webhooks/{webhookId}': () =>
    import('../endpoints/webhooks/delete-webhook.ts'),
  'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}': () =>
    import('../endpoints/webhooks/get-webhook-delivery.ts'),
  'GET /api/organizations/{orgId}/webhooks/{webhookId}/deliveries': () =>
    import('../endpoints/webhooks/list-webhook-deliveries.ts'),
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/replay': () =>
    import('../endpoints/webhooks/replay-failed-webhook-deliveries.ts'),
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay': () =>
    import('../endpoints/webhooks/replay-webhook-delivery.ts'),
  'POST /api/organizations/{orgId}/webhooks/{webhookId}/test': () =>
    import('../endpoints/webhooks/send-webhook-test.ts'),
  'PUT /api/organizations/{orgId}/webhooks/{webhookId}': () =>
    import('../endpoints/webhooks/update-webhook.ts'),
});
