import type { Policy, WebhookEngine } from '../../../../shared/webhooks/engine.ts';
import { commonPolicyOf } from '../../../../shared/webhooks/settings.ts';
import type { Webhook } from '../../../../shared/webhooks/webhook.ts';
import { settings } from '../../settings.ts';

/** The queue of deliveries, a message for each attempt. Slow receivers have their own, `webhooks-slow`. */
export const WEBHOOKS_QUEUE = 'webhooks';

/** The owner of the billing webhook of the settings: the instance, and no organization. */
export const INSTANCE_OWNER = 'instance';

// The id of its deliveries, which stays when the address in the settings changes.
const BILLING_WEBHOOK_ID = 'billing';

const policy = (): Policy => ({
  maxPerOwner: settings.MaxWebhooksPerOrganization,
  maxAttempts: settings['Webhooks:MaxAttempts'],
  ...commonPolicyOf(settings),
});

function billingWebhook(): readonly Webhook[] {
  const url = settings['Webhooks:Billing:Url'];
  if (url === '') return [];
  return [
    {
      id: BILLING_WEBHOOK_ID,
      owner: INSTANCE_OWNER,
      url,
      authType: settings['Webhooks:Billing:AuthType'],
      token: settings['Webhooks:Billing:Token'],
      createdAtMs: 0,
    },
  ];
}

/** The webhooks of the organizations and of the instance. */
export const webhooks: WebhookEngine = {
  service: 'documents',
  queue: WEBHOOKS_QUEUE,
  policy,
  fixed: (owner) => (owner === INSTANCE_OWNER ? billingWebhook() : []),
};
