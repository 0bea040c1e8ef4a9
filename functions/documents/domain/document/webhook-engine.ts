import { isLocal } from '../../../../shared/settings/names.ts';
import type { Policy, WebhookEngine } from '../../../../shared/webhooks/engine.ts';
import type { Webhook } from '../../../../shared/webhooks/webhook.ts';
import { settings } from '../../settings.ts';

/** The queue that wakes webhooks. Slow receivers have another, `webhooks-slow`. */
export const WEBHOOKS_QUEUE = 'webhooks';

/** Who the billing webhook of the settings belongs to: no organization, but the instance. */
export const INSTANCE_OWNER = 'instance';

// Its deliveries are found by this id, whatever address the settings give it.
const BILLING_WEBHOOK_ID = 'billing';

const policy = (): Policy => ({
  maxPerOwner: settings.MaxWebhooksPerOrganization,
  maxAttempts: settings['Webhooks:MaxAttempts'],
  timeoutSeconds: settings['Webhooks:Timeout'],
  concurrency: settings['Webhooks:ConcurrencyPerWebhook'],
  retryFactor: settings['Webhooks:RetryFactor'] / 100,
  retryAfterMaxSeconds: settings['Webhooks:RetryAfterMax'],
  keptForSeconds: settings['Webhooks:KeptFor'],
  allowPrivateNetworks: settings['Webhooks:AllowPrivateNetworks'] && isLocal(),
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

/** The webhooks of the organizations, and of the instance itself. */
export const webhooks: WebhookEngine = {
  service: 'documents',
  queue: WEBHOOKS_QUEUE,
  policy,
  sealingKey: () => settings['Webhooks:SealingKey'],
  fixed: (owner) => (owner === INSTANCE_OWNER ? billingWebhook() : []),
};
