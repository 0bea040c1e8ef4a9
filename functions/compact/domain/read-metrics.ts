import { JOB_FORMATS } from '../../batch/jobs/domain/job/job.ts';
import { formatTally, jobList, sourceTally } from '../../batch/jobs/domain/job/list.ts';
import { eventList } from '../../batch/operations/domain/events.ts';
import { readMeanSeconds } from '../../batch/operations/domain/metrics.ts';
import { type CompactStatus, sourceOf, sources, statesOf } from './job-view.ts';

/**
 * The jobs of both surfaces in numbers. All counts of jobs are of one moment, and cost two queries however many jobs
 * there are; with the times and the mean it is ten.
 */
export async function readMetrics() {
  const [{ total, views, tallies }, meanSeconds, lastSuccessfulUtc, lastFailedUtc] = await Promise.all([
    jobList().count(),
    readMeanSeconds('bulk_signing_duration_seconds'),
    timeOfNewest('JobCompleted'),
    timeOfNewest('JobFailed'),
  ]);
  const inStatus = (status: Exclude<CompactStatus, 'Processing'>): number =>
    statesOf(status).reduce((sum, state) => sum + (views.get(state) ?? 0), 0);
  const [pendingJobs, completedJobs, failedJobs, rejectedJobs] = [
    inStatus('Pending'),
    inStatus('Completed'),
    inStatus('Failed'),
    inStatus('Rejected'),
  ];
  return {
    totalJobs: total,
    pendingJobs,
    // A job in flight is in no view.
    processingJobs: total - pendingJobs - completedJobs - failedJobs - rejectedJobs,
    completedJobs,
    failedJobs,
    rejectedJobs,
    jobsBySource: Object.fromEntries(
      sources.map((source) => [sourceOf(source), tallies.get(sourceTally(source)) ?? 0]),
    ),
    jobsBySignatureFormat: Object.fromEntries(
      JOB_FORMATS.map((format) => [format, tallies.get(formatTally(format)) ?? 0]),
    ),
    averageProcessingMs: meanSeconds * 1_000,
    lastSuccessfulUtc,
    lastFailedUtc,
  };
}

async function timeOfNewest(type: 'JobCompleted' | 'JobFailed'): Promise<string | null> {
  const [newest] = await eventList(type).walk({ limit: 1 });
  return newest ? new Date(newest.atMs).toISOString() : null;
}
