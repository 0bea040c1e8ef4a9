import { checkBatchReadiness } from '../../../domain/readiness.ts';
import { dateIn } from '../../../jobs/domain/cnab240/dates.ts';
import { jobList } from '../../../jobs/domain/job/list.ts';
import { eventList } from '../../../operations/domain/events.ts';
import { readFlight } from '../../../pipeline/domain/flight.ts';
import { settings } from '../../../settings.ts';
import { startOfDate } from '../../pages/day-range.ts';

/** A check that is red: something for an operator to do. */
export type OpenTask = { readonly name: string; readonly detail: string };

export type Overview = {
  readonly inFlight: number;
  readonly queued: number;
  readonly awaitingSigner: number;
  readonly awaitingApproval: number;
  readonly failedToday: number;
  readonly completedToday: number;
  readonly pause: { readonly by: string; readonly reason: string } | undefined;
  readonly tasks: readonly OpenTask[];
};

/** What is under way now, what has happened today where payments are made, and what waits for an operator. */
export async function readOverview(nowMs: number): Promise<Overview> {
  const timeZone = settings['Cnab240:TimeZone'];
  const fromMs = startOfDate(timeZone, dateIn(timeZone, nowMs));
  const [{ pipeline, slots }, { views }, failedToday, completedToday, { checks }] = await Promise.all([
    readFlight(),
    jobList().count(),
    countEvents('JobFailed', fromMs),
    countEvents('JobCompleted', fromMs),
    checkBatchReadiness(nowMs),
  ]);
  return {
    inFlight: slots.length,
    queued: views.get('Queued') ?? 0,
    awaitingSigner: views.get('AwaitingSigner') ?? 0,
    awaitingApproval: views.get('AwaitingApproval') ?? 0,
    failedToday,
    completedToday,
    pause:
      pipeline.state === 'Paused'
        ? { by: pipeline.pausedBy ?? '', reason: pipeline.reason ?? '' }
        : undefined,
    tasks: checks.filter(({ ok }) => !ok).map(({ name, detail }) => ({ name, detail })),
  };
}

const countEvents = async (type: 'JobFailed' | 'JobCompleted', fromMs: number): Promise<number> =>
  (await eventList(type).slice({ fromMs, offset: 0, limit: 0 })).total;
