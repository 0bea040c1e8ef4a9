import type { ServiceName } from '../settings/names.ts';
import { commit } from '../store/commit.ts';
import { dueMessage } from '../store/due/message.ts';

export type DelayedMessage = {
  readonly index: number;
  readonly body: unknown;
  readonly dedupe?: string | undefined;
  readonly dueAtMs: number;
};

const WRITES_AT_ONCE = 10;

/** Keeps messages in the service's table until they are due. Tells which were not kept, and why. */
export async function keepUntilDue(
  service: ServiceName,
  queue: string,
  messages: readonly DelayedMessage[],
): Promise<Map<number, string>> {
  const reasons = new Map<number, string>();
  const keep = async ({ index, body, dedupe, dueAtMs }: DelayedMessage): Promise<void> => {
    const named = dedupe === undefined ? {} : { id: dueId(queue, dedupe) };
    try {
      await commit([dueMessage({ service, queue, body, dueAtMs, ...named })]);
    } catch (error) {
      reasons.set(index, (error as Error).message);
    }
  };
  for (let start = 0; start < messages.length; start += WRITES_AT_ONCE) {
    await Promise.all(messages.slice(start, start + WRITES_AT_ONCE).map(keep));
  }
  return reasons;
}

// One table holds what waits for every queue of a service: two queues may use the same name for different things.
const dueId = (queue: string, dedupe: string): string => `${queue}#${dedupe}`;

/** The name that the sender gave, or the id as it is when the message was recorded with a change. */
export const dedupeOf = (queue: string, id: string): string =>
  id.startsWith(`${queue}#`) ? id.slice(queue.length + 1) : id;
