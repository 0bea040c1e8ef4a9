import type { Policy, WebhookEngine } from '../../../../shared/webhooks/engine.ts';
import { commonPolicyOf } from '../../../../shared/webhooks/settings.ts';
import { settings } from '../../settings.ts';
import { renderSubject } from './render-subject.ts';

/** The queue of deliveries, a message for each attempt. Slow receivers have their own, `webhooks-slow`. */
export const WEBHOOKS_QUEUE = 'webhooks';

// One attempt and up to ten more by the published table: about four hours and a half.
const MAX_ATTEMPTS = 11;
const WEBHOOKS_PER_OWNER = 1;

const policy = (): Policy => ({
  maxPerOwner: WEBHOOKS_PER_OWNER,
  maxAttempts: MAX_ATTEMPTS,
  ...commonPolicyOf(settings),
});

/** The webhooks of organizations and of institutes. An owner is the id of one of them. */
export const webhooks: WebhookEngine = {
  service: 'credentials',
  queue: WEBHOOKS_QUEUE,
  policy,
  render: renderSubject,
  logsAttempts: true,
};
