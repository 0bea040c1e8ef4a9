import { commit } from '../../store/commit.ts';
import type { Write } from '../../store/write.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import { bodyOf, eventsOf, keptUntilMs, newEventId } from '../event.ts';
import { getWebhook, listWebhooks } from '../registrations/lookup.ts';
import type { Refused, Webhook } from '../webhook.ts';
import { deliveriesOf, type StoredDelivery } from './delivery.ts';
import { sendingAttempt } from './delivery-message.ts';

/** The content of an event, for every webhook of its owner, or the subject that it is rendered from when it is sent. */
export type Notice = {
  readonly type: string;
  readonly data?: unknown;
  readonly subject?: string | undefined;
  /** The event is not delivered before this time has passed. */
  readonly delaySeconds?: number | undefined;
};

export type Recording = {
  readonly eventIds: readonly string[];
  /** Commit them with the change that causes the events. */
  readonly writes: readonly Write[];
};

// An item of the table holds 400 kB, its other fields included.
const MAX_BODY_BYTES = 380_000;

/**
 * Events as writes, for the commit of the change that causes them (outbox): recorded if and only if the change happens,
 * and delivered at least once to every webhook of the owner. Without webhooks nothing is recorded. A caller that has read
 * them, in one request with other items, passes them.
 * @example const events = await recording(webhooks, organization.id, [{ type: 'DocumentSigned', data }]);
 *          await documents.change(document, patch, { also: events.writes });
 */
export async function recording(
  engine: WebhookEngine,
  owner: string,
  notices: readonly Notice[],
  known?: readonly Webhook[],
): Promise<Recording> {
  const webhooks = notices.length > 0 ? (known ?? (await listWebhooks(engine, owner))) : [];
  return recordingFor(engine, webhooks, notices, engine.policy().maxAttempts);
}

/**
 * Sends an event to one webhook alone, to test the receiver. It is attempted once: the operator looks at the outcome and
 * sends another.
 * @example const sent = await sendTestEvent(webhooks, organization.id, webhookId, { type: 'WebhookTest', data });
 */
export async function sendTestEvent(
  engine: WebhookEngine,
  owner: string,
  webhookId: string,
  notice: Pick<Notice, 'type' | 'data'>,
): Promise<{ readonly eventId: string } | Refused<'not-found'>> {
  const webhook = await getWebhook(engine, owner, webhookId);
  if (!webhook) return { refused: 'not-found', message: 'There is no webhook by this id.' };
  const { eventIds, writes } = recordingFor(engine, [webhook], [notice], 1);
  await commit(writes);
  const [eventId = ''] = eventIds;
  return { eventId };
}

function recordingFor(
  engine: WebhookEngine,
  webhooks: readonly Webhook[],
  notices: readonly Notice[],
  budget: number,
): Recording {
  const [first] = webhooks;
  if (!first) return { eventIds: [], writes: [] };
  const { owner } = first;
  const events = notices.map((notice) => recordingOne(engine, owner, webhooks, notice, budget));
  return {
    eventIds: events.map(({ eventId }) => eventId),
    writes: events.flatMap(({ writes }) => writes),
  };
}

function recordingOne(
  engine: WebhookEngine,
  owner: string,
  webhooks: readonly Webhook[],
  { type, data, subject, delaySeconds = 0 }: Notice,
  budget: number,
) {
  const createdAtMs = nowOf(engine);
  const eventId = newEventId(createdAtMs);
  const event = {
    ...{ id: eventId, owner, type, createdAtMs, keptUntilMs: keptUntilMs(engine) },
    ...(subject === undefined ? { body: storableBody(engine, type, data) } : { body: '', subject }),
  };
  const pending = webhooks.map(
    (webhook): StoredDelivery => ({
      webhookId: webhook.id,
      eventId,
      owner,
      type,
      state: 'Pending',
      attempts: 0,
      tried: 0,
      budget,
      createdAtMs,
      nextAttemptAtMs: createdAtMs + delaySeconds * 1000,
    }),
  );
  return {
    eventId,
    writes: [
      eventsOf(engine).creating(event),
      ...pending.map((delivery) => deliveriesOf(engine).creating(delivery)),
      ...pending.map((delivery) => sendingAttempt(engine, delivery, 'quick')),
    ],
  };
}

/** The JSON text of an event. Throws RangeError for one that could not be stored. */
function storableBody(engine: WebhookEngine, type: string, data: unknown): string {
  const body = bodyOf(engine, type, data);
  const bytes = Buffer.byteLength(body);
  if (bytes <= MAX_BODY_BYTES) return body;
  throw new RangeError(
    `A ${type} event has ${bytes} bytes; ${MAX_BODY_BYTES} can be stored. Put fewer things into one event.`,
  );
}
