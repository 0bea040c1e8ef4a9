import { ReplayedDeliveries, WebhookParams } from '../../contract/organization/webhooks.ts';
import { replayFailedDeliveries } from '../../domain/webhooks/deliveries.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/organizations/{orgId}/webhooks/{webhookId}/deliveries/replay',
    can: 'webhooks.change',
    summary: 'Send every failed delivery once more',
    description:
      'Replays the deliveries of this webhook that failed for good. Where there are many, the rest follows in the background.',
    params: WebhookParams,
    answers: { 200: ReplayedDeliveries },
    refuses: ['OrganizationNotFound', 'OperationNotSupportedInPersonalOrganizations', 'WebhookNotFound'],
  },
  async ({ params, caller }) => replayFailedDeliveries(caller, params),
);
