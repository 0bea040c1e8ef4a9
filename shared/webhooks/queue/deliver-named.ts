import { forEachConcurrently } from '../../async/for-each-concurrently.ts';
import { groupCommit } from '../../store/group-commit.ts';
import { cachedWebhook } from '../registrations/lookup.ts';
import type { WakeUp } from '../wake-up.ts';
import { attempt } from './attempt.ts';
import { readNamed } from './due-page.ts';
import { leaveWithResult } from './leave.ts';
import type { AttemptResult } from './record-attempt.ts';
import { countResult, type Turn } from './turn.ts';

// One event for one webhook in good order, from the arrival of its wake-up to the end:
//
//   claim    UpdateItem           the queue, untimed
//   read     BatchGetItem         the delivery and its event; the webhook is in the cache
//   attempt  POST
//   leave    TransactWriteItems   the result and the release
//   forget   DeleteItem           the outbox record of the wake-up, by the consumer
//
// The deliveries are read by key, so no index can hide them, and no later look is needed.

/**
 * Delivers what a wake-up names, and releases the queue with the last result when all is confirmed. Otherwise the turn
 * goes on with a look into the index: 'again' for the next attempts, 'new' when the index may not have everything yet.
 */
export async function deliverNamed(
  turn: Turn,
  eventIds: readonly string[],
): Promise<'released' | 'lost' | WakeUp['look']> {
  const { engine, queue, retriesAtMs } = turn;
  // Each attempt looks the webhook up itself, so that the last one of a turn uses an address as recent as the first.
  const webhook = () => cachedWebhook(engine, queue.owner, queue.webhookId);
  const [registered, { due, later }] = await Promise.all([
    webhook(),
    readNamed(engine, queue.webhookId, eventIds),
  ]);
  if (!registered) return 'new';
  for (const { eventId, nextAttemptAtMs = 0 } of later) retriesAtMs.set(eventId, nextAttemptAtMs);

  const results = recorder(turn);
  let last: AttemptResult | undefined;
  let left = due.length;
  const outcomes = new Set<AttemptResult['event'] | 'none'>();
  await forEachConcurrently(engine.policy().concurrency, due, async (each) => {
    const result = turn.isOver() ? undefined : await attempt({ ...turn, webhook }, each);
    outcomes.add(result?.event ?? 'none');
    left -= 1;
    if (result && left === 0) last = result;
    else if (result) results.add(result);
  });
  const isDone = later.length === 0 && outcomes.values().every((outcome) => outcome === 'confirmed');
  if (!isDone && last) results.add(last);
  await results.end();
  if (!isDone) return outcomes.has('none') ? 'new' : 'again';
  const result = await leaveWithResult(turn, last);
  return result === 'woken' ? 'new' : result;
}

function recorder(turn: Turn) {
  let failure: { readonly error: unknown } | undefined;
  const results = groupCommit<AttemptResult>({
    onSettled: (result, isCommitted) => countResult(turn, result, isCommitted),
    onFailed: (error) => {
      failure = { error };
    },
  });
  return {
    add: results.add,
    async end(): Promise<void> {
      await results.flush();
      if (failure) throw failure.error;
    },
  };
}
