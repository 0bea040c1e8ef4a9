import { forEachConcurrently } from '../../async/for-each-concurrently.ts';
import { groupCommit } from '../../store/group-commit.ts';
import { attempt } from './attempt.ts';
import { findDue } from './find-due.ts';
import type { AttemptResult } from './record-attempt.ts';
import { countResult, type Remaining, type Turn } from './turn.ts';

// find     |--page--|      |--page--|                     one page ahead of the workers
// attempt       |--POST--|--POST--|--POST--|              as many workers as the policy says
//               |--POST----------|--POST--|               a slow answer holds its own worker only
// record             |--commit--|   |--commit--|          results in groups

/** Delivers the due deliveries of a queue until there are none or the turn is over. */
export async function deliverDue(turn: Turn): Promise<Remaining> {
  const { engine, retriesAtMs } = turn;
  const storeFailed = new AbortController();
  const finder = findDue(turn, storeFailed.signal);
  const results = groupCommit<AttemptResult>({
    onSettled(result, isCommitted) {
      countResult(turn, result, isCommitted);
      finder.release(result.eventId);
    },
    onFailed: (error) => storeFailed.abort(error),
  });
  try {
    await forEachConcurrently(engine.policy().concurrency, finder.deliveries(), async (due) => {
      const result = await attempt(turn, due, finder.ready);
      if (result) results.add(result);
      else finder.release(due.delivery.eventId);
    });
  } finally {
    await results.flush();
  }
  storeFailed.signal.throwIfAborted();
  const { more, nextAtMs } = await finder.remaining();
  const earliest = retriesAtMs.values().reduce((a, b) => Math.min(a, b), nextAtMs ?? Infinity);
  return { more, nextAtMs: earliest === Infinity ? undefined : earliest };
}
