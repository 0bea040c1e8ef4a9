import { setTimeout as pause } from 'node:timers/promises';
import { onStop } from '../../../../../shared/async/on-stop.ts';
import { processWide } from '../../../../../shared/async/process-wide.ts';
import { collection } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import type { LabelsOf } from '../../../operations/domain/metrics-table.ts';

export type NotificationOutcome = LabelsOf<'bulk_signer_notifications_total'>['outcome'];

/** When the last authenticated notification arrived. One that follows within a minute may not be recorded. */
export const lastNotifications = collection<{ readonly atMs: number }, 'last'>({
  service: 'batch',
  name: 'last notification',
  id: () => 'last',
  key: () => ({ pk: 'SIGNER', sk: 'LAST-NOTIFICATION' }),
});

const RECORD_EVERY_MS = 60_000;
const WRITE_EVERY_MS = 1_000;
// A store that does not answer delays an answer by no more.
const MAX_WAIT_MS = 1_000;

type State = {
  readonly counts: Map<NotificationOutcome, number>;
  lastAtMs: number;
  recordedAtMs: number;
  /** The write under way. */
  writing: Promise<void> | undefined;
  /** Until it fires, counts are only added up. */
  pausing: NodeJS.Timeout | undefined;
};

const state = processWide('batch.notification-counts', (): State => {
  onStop(writeNotificationCounts);
  return {
    counts: new Map(),
    lastAtMs: 0,
    recordedAtMs: 0,
    writing: undefined,
    pausing: undefined,
  };
});

// A flood, in one process:
//
//   requests   |  1  |  2  3  4 ... 500  |  501 ...
//   writes     |--1--|-------- 1 s ------|--499--|-------- 1 s ...
//
// The first one of a quiet time waits for its write, because a function's process may be frozen after its answer. A
// process that is killed loses the counts of a second at most. A write whose answer was lost may be counted twice.

/** Counts a notification. A process writes at most once a second, however many come. */
export async function countNotification(outcome: NotificationOutcome): Promise<void> {
  add(outcome, 1);
  if (state.writing || state.pausing) return;
  await Promise.race([write(), pause(MAX_WAIT_MS, undefined, { ref: false })]);
}

/** Remembers the time of an authenticated notification. It is written with the next counts. */
export function noteAuthenticated(nowMs: number): void {
  state.lastAtMs = nowMs;
}

/** Writes what is counted and not written yet. */
export async function writeNotificationCounts(): Promise<void> {
  await state.writing;
  if (state.counts.size > 0) await write();
}

const add = (outcome: NotificationOutcome, amount: number) =>
  state.counts.set(outcome, (state.counts.get(outcome) ?? 0) + amount);

function write(): Promise<void> {
  clearTimeout(state.pausing);
  state.writing = commitCounts().finally(() => {
    state.writing = undefined;
    state.pausing = setTimeout(() => {
      state.pausing = undefined;
      if (state.counts.size > 0) write();
    }, WRITE_EVERY_MS).unref();
  });
  return state.writing;
}

// Never throws: counts that were not written are written with the next ones.
async function commitCounts(): Promise<void> {
  const counted = [...state.counts];
  const { lastAtMs } = state;
  const isDue = lastAtMs - state.recordedAtMs >= RECORD_EVERY_MS;
  state.counts.clear();
  try {
    await commit([
      ...counted.map(([outcome, amount]) => counting('bulk_signer_notifications_total', { outcome }, amount)),
      ...(isDue ? [lastNotifications.putting({ atMs: lastAtMs })] : []),
    ]);
    if (isDue) state.recordedAtMs = lastAtMs;
  } catch {
    for (const [outcome, amount] of counted) add(outcome, amount);
  }
}
