import { processWide } from '../async/process-wide.ts';
import { commit } from '../store/commit.ts';
import { HEAD_START_MS } from '../store/due/message.ts';
import { sending } from './outbox.ts';

// Many causes of one piece of work, within the delay of its message, are one message:
//
//   cause 1  |--records--sends, with the delay--|
//   cause 2       |--refused: it still waits--|
//   worker                             (delay over) |--works: sees what both causes were about--|
//   cause 3                                           |--records anew--sends--|
//
// So whatever happened before the work begins is seen by it, and the third cause has its own. A record that the sweeper
// has sent does not count: its message may be in work already.
const noLongerWaits = 'attribute_not_exists(pk) OR attribute_exists(tries) OR dueAt <= :begun';

class StillWaits extends Error {}

type OnceOptions = Parameters<typeof sending>[0] & { readonly id: string; readonly delaySeconds: number };

type Waiting = { readonly untilMs: number; readonly recorded: Promise<void> };

// The messages that this process has recorded and that still wait: their further causes need no call.
const waiting = processWide('once-in-delay', () => new Map<string, Waiting>());

/**
 * Records a message in a commit of its own and sends it with a delay, unless one of the same id still waits for its own:
 * that one does the work of both.
 * @example await recordOnceInDelay({ service, queue, body: { task: 'look', id }, id: `look:${id}`, delaySeconds: 2 });
 */
export function recordOnceInDelay(options: OnceOptions): Promise<void> {
  const { service, id, delaySeconds, now = Date.now } = options;
  const nowMs = now();
  const name = `${service} ${id}`;
  for (const [each, { untilMs }] of waiting) if (untilMs <= nowMs) waiting.delete(each);
  const known = waiting.get(name);
  if (known) return known.recorded;
  const recorded = record(options, nowMs, () => waiting.delete(name));
  waiting.set(name, { untilMs: nowMs + delaySeconds * 1_000, recorded });
  return recorded;
}

async function record(options: OnceOptions, nowMs: number, forget: () => void): Promise<void> {
  const { headStartMs = HEAD_START_MS } = options;
  const message = sending({ ...options, now: () => nowMs });
  const Put = {
    ...message.item.Put,
    ConditionExpression: noLongerWaits,
    ExpressionAttributeValues: { ':begun': { N: String(nowMs + headStartMs) } },
  };
  try {
    await commit([{ ...message, item: { Put }, refusal: () => new StillWaits() }]);
  } catch (error) {
    // Nobody here knows until when the message of another process waits.
    forget();
    if (!(error instanceof StillWaits)) throw error;
  }
}
