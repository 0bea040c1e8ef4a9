import { forEachConcurrently } from '../async/for-each-concurrently.ts';
import type { ServiceName } from '../settings/names.ts';
import { commit } from '../store/commit.ts';
import { dueMessage } from '../store/due/message.ts';

/** A message with a delay that SQS cannot keep. */
export type DelayedMessage = {
  readonly index: number;
  readonly body: unknown;
  readonly dedupe?: string | undefined;
  readonly dueAtMs: number;
};

const CONCURRENCY = 10;

/** Stores messages in the service's table until they are due. The result has the reason of each that was not stored. */
export async function keepUntilDue(
  service: ServiceName,
  queue: string,
  messages: readonly DelayedMessage[],
): Promise<Map<number, string>> {
  const reasons = new Map<number, string>();
  await forEachConcurrently(CONCURRENCY, messages, async ({ index, body, dedupe, dueAtMs }) => {
    const named = dedupe === undefined ? {} : { id: dueId(queue, dedupe) };
    try {
      await commit([dueMessage({ service, queue, body, dueAtMs, ...named })]);
    } catch (error) {
      reasons.set(index, (error as Error).message);
    }
  });
  return reasons;
}

// One table holds the delayed messages of every queue of a service: two queues may use the same name.
const dueId = (queue: string, dedupe: string): string => `${queue}#${dedupe}`;

/** The sender's name for a message; for one that was recorded with a change, the id of its record. */
export const dedupeOf = (queue: string, id: string): string =>
  id.startsWith(`${queue}#`) ? id.slice(queue.length + 1) : id;
