import type { Write } from '../../store/write.ts';
import { nowOf, type WebhookEngine } from '../engine.ts';
import { eventsOf, keptUntilMs, newEventId } from '../event.ts';
import { listWebhooks } from '../registrations/registrations.ts';
import { waking } from '../wake.ts';
import type { Webhook } from '../webhook.ts';
import { deliveriesOf, type StoredDelivery } from './delivery.ts';

/** Something that happened, to be told to every webhook of its owner. */
export type Notice = {
  readonly type: string;
  readonly data: unknown;
  /** Not to be told before so much time has passed. */
  readonly delaySeconds?: number | undefined;
};

export type Recording = {
  readonly eventIds: readonly string[];
  /** Commit them with the change that they tell of. */
  readonly writes: readonly Write[];
  /** Call it after the commit. It never throws: what it does not manage, the sweeper does. */
  readonly wake: () => Promise<void>;
};

// An item of the table holds 400 kB, its other fields included.
const MAX_BODY_BYTES = 380_000;

/**
 * What is to be told, as writes for the change that causes it: recorded if and only if that happens, and
 * delivered at least once to every webhook that its owner has now. An owner with no webhook has nothing to record.
 * @example const told = await recording(webhooks, organization.id, [{ type: 'DocumentSigned', data }]);
 *          await documents.change(document, patch, { also: told.writes });
 *          await told.wake();
 */
export async function recording(
  engine: WebhookEngine,
  owner: string,
  notices: readonly Notice[],
): Promise<Recording> {
  const webhooks = notices.length > 0 ? await listWebhooks(engine, owner) : [];
  return recordingFor(engine, webhooks, notices, engine.policy().maxAttempts);
}

/** The same for webhooks that are known, with so many attempts each. */
export function recordingFor(
  engine: WebhookEngine,
  webhooks: readonly Webhook[],
  notices: readonly Notice[],
  budget: number,
): Recording {
  const [first] = webhooks;
  if (!first) return { eventIds: [], writes: [], wake: async () => {} };
  const { owner } = first;
  const recorded = notices.map((notice) => record(engine, owner, webhooks, notice, budget));
  const delays = new Set(notices.map(({ delaySeconds = 0 }) => delaySeconds));
  const wakings = [...delays].map((delaySeconds) => waking(engine, owner, webhooks, delaySeconds));
  return {
    eventIds: recorded.map(({ eventId }) => eventId),
    writes: [...recorded, ...wakings].flatMap(({ writes }) => writes),
    wake: async () => {
      await Promise.all(wakings.map(({ send }) => send()));
    },
  };
}

function record(
  engine: WebhookEngine,
  owner: string,
  webhooks: readonly Webhook[],
  { type, data, delaySeconds = 0 }: Notice,
  budget: number,
) {
  const createdAtMs = nowOf(engine);
  const eventId = newEventId(createdAtMs);
  const body = bodyOf(type, data);
  const event = { id: eventId, owner, type, body, createdAtMs, keptUntilMs: keptUntilMs(engine) };
  const pending = (webhook: Webhook): StoredDelivery => ({
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
  });
  const deliveries = deliveriesOf(engine);
  return {
    eventId,
    writes: [
      eventsOf(engine).creating(event),
      ...webhooks.map((webhook) => deliveries.creating(pending(webhook))),
    ],
  };
}

function bodyOf(type: string, data: unknown): string {
  const body = JSON.stringify({ type, data });
  const bytes = Buffer.byteLength(body);
  if (bytes <= MAX_BODY_BYTES) return body;
  throw new RangeError(
    `A ${type} event has ${bytes} bytes; ${MAX_BODY_BYTES} can be kept. Tell of fewer things in one event.`,
  );
}
