import type { Logger } from '../../log/logger.ts';
import { createGuardedFetch } from '../../net/guarded.ts';
import { send } from '../../queue/send.ts';
import { nowOf, type Pace, type WebhookEngine } from '../engine.ts';
import { SLOW_TURNS } from '../pacing.ts';
import { HEAD_START_MS, MAX_QUEUE_DELAY_MS, queueOf, type Wake } from '../wake-up.ts';
import { deliverDue, type Remaining } from './deliver-due.ts';
import {
  claimQueue,
  clearingTimer,
  type DeliveryQueueId,
  deleteQueue,
  releaseQueue,
  settingTimer,
} from './delivery-queue.ts';
import { stopDeliveries } from './stop-deliveries.ts';
import { beginTurn, type Turn } from './turn.ts';

// The index may be behind its table, by milliseconds as a rule. What was recorded just now and not found is found
// by a last look after this time.
const SETTLED_AFTER_MS = 60_000;

/**
 * One turn of one webhook: delivers what is due and leaves the lane to whoever is woken next. Does nothing when
 * another runner has it.
 */
export async function runQueue(
  engine: WebhookEngine,
  lane: DeliveryQueueId,
  look: Wake['look'],
  pace: Pace,
  log: Logger,
): Promise<'ran' | 'held' | 'slow' | 'lost'> {
  const taken = await claimQueue(engine, lane, look, pace);
  if (taken === 'slow') await sendLook(engine, lane, look, 'slow', 0);
  if (taken === 'slow' || taken === 'held') return taken;

  // Its own connections: calls of other lanes to the same host neither wait for these nor are waited for.
  const call = (engine.connect ?? createGuardedFetch)();
  const turn = beginTurn(engine, taken.held, pace, call);
  try {
    for (let isNew = taken.isNew; ; isNew = true) {
      const left = await workOff(turn);
      const outcome = await leave(turn, left, isNew);
      if (outcome !== 'woken') return outcome === 'left' ? 'ran' : 'lost';
    }
  } finally {
    await call.close();
    tell(log, lane.webhookId, turn);
  }
}

function tell(log: Logger, webhookId: string, { pace, saw: { failuresInARow: _, ...saw } }: Turn): void {
  const { confirmed, failed, exhausted, stopped, tooLate } = saw;
  const isNothing = confirmed + failed + exhausted + stopped + tooLate === 0;
  (isNothing ? log.debug : log.info)('webhook served', { webhookId, pace, ...saw });
}

async function workOff(turn: Turn): Promise<Remaining> {
  if (!(await turn.webhook())) turn.saw.isRemoved = true;
  if (!turn.saw.isRemoved) {
    const left = await deliverDue(turn);
    if (!turn.saw.isRemoved) return left;
  }
  return stopDeliveries(turn);
}

async function leave(turn: Turn, left: Remaining, isNew: boolean) {
  const { engine, lane, saw } = turn;
  if (saw.isRemoved && !left.more && !isNew) return deleteQueue(engine, lane);

  const slow = slowTurns(turn);
  const pace: Pace = slow ? 'slow' : 'quick';
  const nowMs = nowOf(engine);
  const alarm = alarmOf(turn, left, nowMs);
  const outcome = await releaseQueue(engine, lane, {
    marks: {
      slow,
      failing: saw.failuresInARow >= engine.policy().concurrency || undefined,
      alarmAtMs: alarm ?? (left.nextAtMs === undefined ? undefined : lane.alarmAtMs),
    },
    timer: timerOf(turn, left, pace, nowMs, isNew),
    anyway: left.more,
  });
  if (outcome !== 'left') return outcome;
  // Best effort, both: the timer looks anyway.
  if (left.more) await sendLook(engine, lane, 'new', pace, 0).catch(() => undefined);
  else if (alarm !== undefined)
    await sendLook(engine, lane, 'again', pace, alarm - nowMs).catch(() => undefined);
  return outcome;
}

/** How many turns more among the slow: begun anew by an attempt that was, and one less for each turn without. */
function slowTurns({ lane: { slow }, saw }: Turn): number | undefined {
  const hasTried = saw.confirmed + saw.failed + saw.exhausted > 0;
  if (saw.isSlow) return SLOW_TURNS;
  return slow !== undefined && slow > 1 && hasTried ? slow - 1 : hasTried ? undefined : slow;
}

function timerOf({ engine, lane }: Turn, left: Remaining, pace: Pace, nowMs: number, isNew: boolean) {
  const { more, nextAtMs } = left;
  const times = [
    ...(more ? [nowMs + HEAD_START_MS] : []),
    ...(nextAtMs === undefined ? [] : [nextAtMs + (isWithinQueue(nextAtMs, nowMs) ? HEAD_START_MS : 0)]),
    ...(isNew ? [nowMs + SETTLED_AFTER_MS] : []),
  ];
  return times.length > 0
    ? settingTimer(engine, lane, pace, Math.min(...times))
    : clearingTimer(engine, lane);
}

const isWithinQueue = (atMs: number, nowMs: number): boolean => atMs - nowMs <= MAX_QUEUE_DELAY_MS;

/** When a message is to be sent for, so that a next attempt is not late by the sweeper's minute. */
function alarmOf({ lane }: Turn, { more, nextAtMs }: Remaining, nowMs: number): number | undefined {
  if (more || nextAtMs === undefined || !isWithinQueue(nextAtMs, nowMs)) return undefined;
  const isOnItsWay = lane.alarmAtMs !== undefined && lane.alarmAtMs > nowMs && lane.alarmAtMs <= nextAtMs;
  return isOnItsWay ? undefined : nextAtMs;
}

async function sendLook(
  engine: WebhookEngine,
  { owner, webhookId }: DeliveryQueueId,
  look: Wake['look'],
  pace: Pace,
  delayMs: number,
): Promise<void> {
  const body: Wake = { owner, webhookIds: [webhookId], look };
  const delaySeconds = Math.max(0, Math.ceil(delayMs / 1000));
  await send(engine.service, queueOf(engine, pace), body, { delaySeconds });
}
