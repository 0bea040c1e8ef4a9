import { jobAsOf } from '../../batch/jobs/domain/job/as-of.ts';
import { requireJob } from '../../batch/jobs/domain/job/job.ts';
import { eventsOf, renderCompactJob } from './job-view.ts';

/** A job with its events, or the refusal job.not-found. */
export async function readCompactJob(id: string, nowMs: number) {
  const job = jobAsOf(await requireJob(id), nowMs);
  return { ...renderCompactJob(job), events: eventsOf(job) };
}
