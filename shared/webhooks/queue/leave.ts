import { commit } from '../../store/commit.ts';
import { HEAD_START_MS } from '../../store/due/message.ts';
import { commitEach } from '../../store/group-commit.ts';
import { RaceLost } from '../../store/refusals.ts';
import type { ItemWrite } from '../../store/write.ts';
import { nowOf, type Pace } from '../engine.ts';
import { MAX_QUEUE_DELAY_MS, sendWakeUp } from '../wake-up.ts';
import {
  clearingTimer,
  deleteQueue,
  type ReleaseResult,
  releaseQueue,
  releasing,
  settingTimer,
} from './delivery-queue.ts';
import type { AttemptResult } from './record-attempt.ts';
import { countResult, type Remaining, type Turn } from './turn.ts';

// The index may be behind its table, usually by milliseconds. A delivery that was recorded just now and not found is
// found by a last look after this time.
const INDEX_SETTLED_AFTER_MS = 60_000;

// Turns without a slow attempt before a webhook returns to the quick queue: one that is slow now and then stays.
const SLOW_TURNS = 3;

/** Ends a turn: releases the queue with its timer, and sends the wake-up for the remaining deliveries. */
export async function leaveQueue(turn: Turn, remaining: Remaining, isNew: boolean) {
  const { engine, queue, stats } = turn;
  const { more, nextAtMs } = remaining;
  if (stats.isRemoved && !more && !isNew) return deleteQueue(engine, queue);

  const slow = slowTurnsLeft(turn);
  const pace: Pace = slow ? 'slow' : 'quick';
  const nowMs = nowOf(engine);
  const alarmAtMs = newAlarmAtMs(turn, remaining, nowMs);
  const result = await releaseQueue(engine, queue, {
    marks: {
      slow,
      failing: stats.failuresInARow >= engine.policy().concurrency || undefined,
      alarmAtMs: alarmAtMs ?? (nextAtMs === undefined ? undefined : queue.alarmAtMs),
    },
    timer: timerFor(turn, remaining, pace, nowMs, isNew),
    evenIfWoken: more,
  });
  if (result !== 'released') return result;
  // A failed send is no loss: the timer wakes the queue too.
  if (more) await sendWakeUp(engine, queue, 'new', pace).catch(() => undefined);
  else if (alarmAtMs !== undefined)
    await sendWakeUp(engine, queue, 'again', pace, alarmAtMs - nowMs).catch(() => undefined);
  return result;
}

/**
 * Ends a turn in which every named delivery was confirmed: the last result and the release are one commit. The timer
 * stays as it is, for the deliveries that it was set for.
 */
export async function leaveWithResult(turn: Turn, last: AttemptResult | undefined): Promise<ReleaseResult> {
  const { engine, queue } = turn;
  const options = { marks: { slow: slowTurnsLeft(turn) }, evenIfWoken: false };
  try {
    await commit([...(last?.writes ?? []), ...releasing(engine, queue, options)]);
    if (last) countResult(turn, last, true);
    return 'released';
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
  }
  // Either was refused: the delivery was changed, or the queue was woken or claimed. The result counts by itself.
  if (last) countResult(turn, last, (await commitEach([last])).has(last));
  return releaseQueue(engine, queue, options);
}

/** The slow turns that are left. A slow attempt sets them to the full number, a turn without one takes one off. */
function slowTurnsLeft({ queue: { slow = 0 }, stats }: Turn): number | undefined {
  if (stats.isSlow) return SLOW_TURNS;
  const hasAttempted = stats.confirmed + stats.failed + stats.exhausted > 0;
  const left = hasAttempted ? slow - 1 : slow;
  return left > 0 ? left : undefined;
}

function timerFor(
  { engine, queue }: Turn,
  { more, nextAtMs }: Remaining,
  pace: Pace,
  nowMs: number,
  isNew: boolean,
): ItemWrite {
  const times = [
    ...(more ? [nowMs + HEAD_START_MS] : []),
    ...(nextAtMs === undefined ? [] : [nextAtMs + (isWithinQueueDelay(nextAtMs, nowMs) ? HEAD_START_MS : 0)]),
    ...(isNew ? [nowMs + INDEX_SETTLED_AFTER_MS] : []),
  ];
  return times.length > 0
    ? settingTimer(engine, queue, pace, Math.min(...times))
    : clearingTimer(engine, queue);
}

const isWithinQueueDelay = (atMs: number, nowMs: number): boolean => atMs - nowMs <= MAX_QUEUE_DELAY_MS;

/** The time of a wake-up message to send now, so that the next attempt is not late by the sweeper's minute. */
function newAlarmAtMs(
  { queue: { alarmAtMs } }: Turn,
  { more, nextAtMs }: Remaining,
  nowMs: number,
): number | undefined {
  if (more || nextAtMs === undefined || !isWithinQueueDelay(nextAtMs, nowMs)) return undefined;
  const isOnItsWay = alarmAtMs !== undefined && alarmAtMs > nowMs && alarmAtMs <= nextAtMs;
  return isOnItsWay ? undefined : nextAtMs;
}
