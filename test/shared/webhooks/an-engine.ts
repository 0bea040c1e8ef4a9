import { randomUUID } from 'node:crypto';
import { commit } from '../../../shared/store/commit.ts';
import type { OutboxRecord } from '../../../shared/store/due/message.ts';
import type { Delivery } from '../../../shared/webhooks/deliveries/delivery.ts';
import type { AttemptMessage } from '../../../shared/webhooks/deliveries/delivery-message.ts';
import { listDeliveries, readDelivery } from '../../../shared/webhooks/deliveries/list-deliveries.ts';
import { type Notice, recording } from '../../../shared/webhooks/deliveries/record-events.ts';
import type { Pace, Policy, WebhookEngine } from '../../../shared/webhooks/engine.ts';
import { addWebhook } from '../../../shared/webhooks/registrations/registrations.ts';
import type { Webhook, WebhookRequest } from '../../../shared/webhooks/webhook.ts';
import { unsent } from '../queue/unsent.ts';
import { deliverDue, runMessages } from './deliver-due.ts';

export const POLICY: Policy = {
  maxPerOwner: 5,
  maxAttempts: 10,
  timeoutSeconds: 5,
  concurrency: 10,
  retryFactor: 1,
  retryAfterMaxSeconds: 3_600,
  keptForSeconds: 30 * 86_400,
  allowPrivateNetworks: true,
};

type EngineOptions = Omit<Partial<WebhookEngine>, 'policy' | 'now'> & { readonly policy?: Partial<Policy> };

/**
 * The webhooks of an owner of their own, with a clock that the test moves. Messages go to the real queues of the
 * documents service, where nobody reads them: the test makes the attempts.
 */
export function anEngine({ policy, ...options }: EngineOptions = {}) {
  let nowMs = Date.now();
  const engine: WebhookEngine = {
    service: 'documents',
    queue: 'webhooks',
    policy: () => ({ ...POLICY, ...policy }),
    random: () => 0,
    now: () => nowMs,
    ...options,
  };
  const owner = randomUUID();
  /** Makes the attempts of a webhook that are due. */
  const run = (webhookId: string, pace: Pace = 'quick', by = engine) => deliverDue(by, webhookId, pace);

  return {
    engine,
    owner,
    now: () => nowMs,
    /** Lets time pass. */
    pass: (ms: number): void => {
      nowMs += ms;
    },
    run,
    runMessages: (messages: readonly AttemptMessage[], pace?: Pace, record?: OutboxRecord) =>
      runMessages(engine, messages, pace, record),
    async register(request: Partial<WebhookRequest> & Pick<WebhookRequest, 'url'>): Promise<Webhook> {
      const added = await addWebhook(engine, owner, { authType: 'NoAuth', ...request });
      if ('refused' in added) throw new Error(`${added.refused}: ${added.message}`);
      return added;
    },
    /** Records and commits events, and sends no message. */
    async happen(...notices: (Partial<Notice> | undefined)[]): Promise<readonly string[]> {
      const whole = (notices.length > 0 ? notices : [{}]).map((notice) => ({
        type: 'DocumentSigned',
        data: { id: randomUUID() },
        ...notice,
      }));
      const recorded = await recording(engine, owner, whole);
      await commit(unsent(recorded.writes));
      return recorded.eventIds;
    },
    /** Lets time pass to the next attempt, and makes it. */
    async retry(webhookId: string): Promise<void> {
      const page = await listDeliveries(engine, webhookId, { state: 'Pending', limit: 1 });
      const next = 'items' in page ? page.items[0]?.nextAttemptAtMs : undefined;
      nowMs = Math.max(nowMs, next ?? nowMs);
      await run(webhookId);
    },
    async all(webhookId: string): Promise<readonly Delivery[]> {
      const page = await listDeliveries(engine, webhookId, { limit: 1_000 });
      if ('refused' in page) throw new Error(page.refused);
      return page.items;
    },
    async read(webhookId: string, id: string) {
      const found = await readDelivery(engine, webhookId, id);
      if (!found) throw new Error(`There is no delivery ${id}.`);
      return found;
    },
  };
}
