import { groupCommit } from '../../store/group-commit.ts';
import { bell } from '../bell.ts';
import { pacingOf } from '../pacing.ts';
import { post } from './attempt.ts';
import { type Due, findDue } from './due-page.ts';
import { foundAhead } from './find-due.ts';
import { type AttemptResult, attemptResult, eventGone } from './record-attempt.ts';
import type { Turn } from './turn.ts';

/** How a lane is left: with more that is due now, or with the time of what comes due next. */
export type Remaining = { readonly more: boolean; readonly nextAtMs?: number | undefined };

// How often a receiver that does not answer is noticed.
const TICK_MS = 250;

/**
 * Delivers what is due in a lane until there is nothing more or its turn is over. As many attempts as the policy
 * says are under way at once, each slot taking the next delivery when its own has ended: one that takes long
 * holds its slot and nothing else.
 */
export async function deliverDue(turn: Turn): Promise<Remaining> {
  const { engine, saw } = turn;
  const { concurrency } = engine.policy();
  const { slowAfterMs, breathMs } = pacingOf(engine);
  const something = bell();
  const found = foundAhead(turn);
  /** When each attempt that is under way began. */
  const underWay = new Map<string, number>();
  const recorder = groupCommit<AttemptResult>(({ eventId, event }, isCommitted) => {
    found.done(eventId);
    saw[isCommitted ? event : 'tooLate'] += 1;
    something.ring();
  });

  /** What goes wrong here is no receiver's failure: the turn ends with it, once what is under way has ended. */
  let broken: { readonly error: unknown } | undefined;
  const inBackground = (work: Promise<void>): void => {
    work
      .catch((error: unknown) => {
        broken ??= { error };
      })
      .finally(something.ring);
  };

  const attempt = async ({ delivery, event }: Due): Promise<void> => {
    const webhook = await turn.webhook();
    if (!webhook) {
      saw.isRemoved = true;
      found.done(delivery.eventId);
      return;
    }
    if (!event) return recorder.add(eventGone(engine, delivery));
    const attempted = await post(engine, turn.call, webhook, event);
    saw.failuresInARow = attempted.isConfirmed ? 0 : saw.failuresInARow + 1;
    if (attempted.tookMs > slowAfterMs) saw.isSlow = true;
    recorder.add(attemptResult(engine, delivery, attempted));
  };
  const start = (due: Due): void => {
    const { eventId } = due.delivery;
    underWay.set(eventId, performance.now());
    inBackground(attempt(due).finally(() => underWay.delete(eventId)));
  };

  for (let startAt = 0; ; ) {
    broken ??= recorder.failure();
    if (broken && underWay.size === 0 && !recorder.isWorking()) throw broken.error;
    for (const began of underWay.values()) saw.isSlow ||= performance.now() - began > slowAfterMs;

    const isOver = turn.isOver() || broken !== undefined;
    while (!isOver && underWay.size < concurrency && performance.now() >= startAt) {
      const next = found.take();
      if (!next) break;
      start(next);
      if (saw.failuresInARow >= concurrency) startAt = performance.now() + breathMs;
    }

    const end = found.end();
    if (end) return { more: false, ...end };
    const isIdle = underWay.size === 0 && !found.isLooking() && found.isRecorded();
    if (isOver && isIdle && !broken) return found.isLeft() ? { more: true } : whatIsLeft(turn);
    if (!isOver && found.wantsLook()) inBackground(found.look());
    const untilStartMs = startAt - performance.now();
    await something.sleep(untilStartMs > 0 ? Math.min(TICK_MS, untilStartMs) : TICK_MS);
  }
}

async function whatIsLeft({ engine, lane }: Turn): Promise<Remaining> {
  const { due, nextAtMs } = await findDue(engine, lane.webhookId, { limit: 1 });
  return { more: due.length > 0, nextAtMs };
}
