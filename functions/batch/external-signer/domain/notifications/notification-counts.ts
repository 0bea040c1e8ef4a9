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

type State = {
  readonly counts: Map<NotificationOutcome, number>;
  lastAtMs: number;
  recordedAtMs: number;
  lastWrite: Promise<void>;
};

const state = processWide(
  'batch.notification-counts',
  (): State => ({ counts: new Map(), lastAtMs: 0, recordedAtMs: 0, lastWrite: Promise.resolve() }),
);

// Refused requests are counted too, and nothing limits how many come: a write for each would be a flood of the table.
//
//   requests   |  1  |  2  3  4 ... 500  |  501 ...
//   writes     |--1--|--2 to 500---------|--501 ...
//
// So a process has one write under way, and the next has all that came meanwhile. A write whose answer was lost may be
// counted twice.

/** Counts a notification, together with those that came since the last write began. */
export function countNotification(outcome: NotificationOutcome): Promise<void> {
  add(outcome, 1);
  state.lastWrite = state.lastWrite.then(write, write);
  return state.lastWrite;
}

/** Remembers the time of an authenticated notification. It is written with the next counts. */
export function noteAuthenticated(nowMs: number): void {
  state.lastAtMs = nowMs;
}

const add = (outcome: NotificationOutcome, amount: number) =>
  state.counts.set(outcome, (state.counts.get(outcome) ?? 0) + amount);

/** Counts that were not written are written with the next ones. */
async function write(): Promise<void> {
  if (state.counts.size === 0) return;
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
  } catch (error) {
    for (const [outcome, amount] of counted) add(outcome, amount);
    throw error;
  }
}
