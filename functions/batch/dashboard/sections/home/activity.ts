import { dateIn } from '../../../jobs/domain/cnab240/dates.ts';
import { eventList } from '../../../operations/domain/events.ts';
import { EVENT_TYPES } from '../../../operations/event-types.ts';
import { settings } from '../../../settings.ts';

/** How many jobs ended well, and how many not, in a part of time. */
export type Activity = { readonly atMs: number; readonly completed: number; readonly failed: number };

export type RecentActivity = { readonly hours: readonly Activity[]; readonly days: readonly Activity[] };

const HOUR_MS = 3_600_000;
const HOUR_LENGTH = '2026-11-14T02'.length;
const HOURS = 24;
const DAYS = 7;

/**
 * The jobs that ended in the last day by hour, and in the last week by day where payments are made. The counts of the
 * event log have them, so that jobs that were deleted since are counted too.
 */
export async function readActivity(nowMs: number): Promise<RecentActivity> {
  const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS + HOUR_MS;
  const fromMs = endMs - (DAYS + 1) * 24 * HOUR_MS;
  const counts = await eventList().countByHour(fromMs, nowMs);
  const all = Array.from({ length: (endMs - fromMs) / HOUR_MS }, (_, n): Activity => {
    const atMs = fromMs + n * HOUR_MS;
    const views = counts.get(new Date(atMs).toISOString().slice(0, HOUR_LENGTH));
    return {
      atMs,
      completed: views?.get(EVENT_TYPES.JobCompleted) ?? 0,
      failed: views?.get(EVENT_TYPES.JobFailed) ?? 0,
    };
  });
  const byDay = Map.groupBy(all, ({ atMs }) => dateIn(settings['Cnab240:TimeZone'], atMs));
  return { hours: all.slice(-HOURS), days: [...byDay.values()].slice(-DAYS).map(sum) };
}

const sum = (parts: readonly Activity[]): Activity => ({
  atMs: parts[0]?.atMs ?? 0,
  completed: parts.reduce((total, { completed }) => total + completed, 0),
  failed: parts.reduce((total, { failed }) => total + failed, 0),
});
