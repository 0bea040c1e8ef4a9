import { logger } from '../../../shared/log/logger.ts';
import type { OutboxRecord } from '../../../shared/store/due/message.ts';
import type { AttemptMessage } from '../../../shared/webhooks/deliveries/delivery-message.ts';
import { listDeliveries } from '../../../shared/webhooks/deliveries/list-deliveries.ts';
import { nowOf, type Pace, type WebhookEngine } from '../../../shared/webhooks/engine.ts';
import { runMessage } from '../../../shared/webhooks/queue/run.ts';

/** The messages of the attempts of a webhook that are due. */
export async function dueMessages(engine: WebhookEngine, webhookId: string): Promise<AttemptMessage[]> {
  const page = await listDeliveries(engine, webhookId, { state: 'Pending', limit: 1_000 });
  if ('refused' in page) throw new Error(page.refused);
  return page.items
    .filter(({ nextAttemptAtMs = 0 }) => nextAttemptAtMs <= nowOf(engine))
    .map(({ owner, id: eventId, attempts }) => ({ owner, webhookId, eventId, attempt: attempts + 1 }));
}

// However busy the machine of the test is, none goes to the slow queue for want of a slot.
const PATIENT = { patienceMs: { quick: 600_000, slow: 600_000 } };

/** Does the work of messages, as a function does whose batch they are. The result has the answer for each. */
export async function runMessages(
  engine: WebhookEngine,
  messages: readonly AttemptMessage[],
  pace: Pace = 'quick',
  record?: OutboxRecord,
) {
  const patient = { ...engine, pacing: { ...PATIENT, ...engine.pacing } };
  const incoming = { logger: logger(engine.service), record };
  return Promise.all(messages.map((message) => runMessage(patient, pace, message, incoming)));
}

/** Makes the attempts of a webhook that are due. */
export async function deliverDue(engine: WebhookEngine, webhookId: string, pace?: Pace): Promise<void> {
  await runMessages(engine, await dueMessages(engine, webhookId), pace);
}
