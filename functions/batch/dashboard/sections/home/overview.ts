import { checkBatchReadiness } from '../../../domain/readiness.ts';
import { dateIn } from '../../../jobs/domain/cnab240/dates.ts';
import { readSlots } from '../../../jobs/domain/engine/slots.ts';
import { failedList, jobList } from '../../../jobs/domain/job/list.ts';
import { eventList } from '../../../operations/domain/events.ts';
import { certificateNotices } from '../../../profiles/domain/degraded.ts';
import type { Sentence } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import { startOfDate } from '../../pages/day-range.ts';
import { type RecentActivity, readActivity } from './activity.ts';

/** A check that is red: something for an operator to do. */
export type OpenTask = { readonly name: string; readonly detail: Sentence };

/** A profile whose certificate is not valid now, or not for long. */
export type ExpiringProfile = Awaited<ReturnType<typeof certificateNotices>>[number];

export type Overview = {
  readonly inFlight: number;
  readonly queued: number;
  readonly awaitingSigner: number;
  readonly awaitingApproval: number;
  /** Those that are still there, whenever they were created. */
  readonly failedToday: number;
  readonly completedToday: number;
  /** The day that the figures are of. */
  readonly today: string;
  readonly tasks: readonly OpenTask[];
  readonly expiring: readonly ExpiringProfile[];
  readonly activity: RecentActivity;
};

// Only the number is asked for.
const NONE = { offset: 0, limit: 0 };

/** What is under way now, what has happened today where payments are made, and what waits for an operator. */
export async function readOverview(nowMs: number): Promise<Overview> {
  const timeZone = settings['Cnab240:TimeZone'];
  const today = dateIn(timeZone, nowMs);
  const fromMs = startOfDate(timeZone, today);
  const [slots, { views }, failed, completed, { checks }, expiring, activity] = await Promise.all([
    readSlots(),
    jobList().count(),
    failedList().slice({ fromMs, ...NONE }),
    eventList('JobCompleted').slice({ fromMs, ...NONE }),
    checkBatchReadiness(nowMs),
    certificateNotices(nowMs),
    readActivity(nowMs),
  ]);
  return {
    inFlight: slots.length,
    queued: views.get('Queued') ?? 0,
    awaitingSigner: views.get('AwaitingSigner') ?? 0,
    awaitingApproval: views.get('AwaitingApproval') ?? 0,
    failedToday: failed.total,
    completedToday: completed.total,
    today,
    expiring,
    activity,
    tasks: checks.filter(({ ok }) => !ok).map(({ name, detail }) => ({ name, detail })),
  };
}
