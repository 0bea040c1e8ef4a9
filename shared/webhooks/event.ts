import { randomBytes } from 'node:crypto';
import { collection } from '../store/collection.ts';
import { nowOf, type WebhookEngine } from './engine.ts';

/**
 * An event for every webhook of its owner. Its body is serialised once and sent byte for byte; or it names its subject,
 * and the body is rendered at each attempt.
 */
export type WebhookEvent = {
  readonly id: string;
  readonly owner: string;
  readonly type: string;
  /** The JSON text of `{ type, data }`. Empty where the event names its subject. */
  readonly body: string;
  /** What the event is about, for the engine's `render`. */
  readonly subject?: string | undefined;
  readonly createdAtMs: number;
  readonly keptUntilMs: number;
};

export const eventsOf = ({ service }: WebhookEngine) =>
  collection<WebhookEvent, string>({
    service,
    name: 'event',
    id: ({ id }) => id,
    key: (id) => ({ pk: `EVENT#${id}`, sk: 'EVENT' }),
    indexed: ({ keptUntilMs }) => ({ ttl: Math.ceil(keptUntilMs / 1000) }),
  });

/** The JSON text of an event. */
export const bodyOf = ({ dataField = 'data' }: WebhookEngine, type: string, data: unknown): string =>
  JSON.stringify({ type, [dataField]: data });

/** Twice as long as an ended delivery is kept: a body outlives every delivery that may still need it. */
export const keptUntilMs = (engine: WebhookEngine): number =>
  nowOf(engine) + 2 * engine.policy().keptForSeconds * 1000;

/** A UUID of version 7 (RFC 9562): the order of the ids is the order of time. */
export function newEventId(nowMs: number): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
