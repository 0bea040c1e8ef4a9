import { commit } from '../../../../shared/store/commit.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { settleFiles } from '../../jobs/domain/engine/settle-files.ts';
import { unlistingPending } from '../../jobs/domain/job/approver-lists.ts';
import { expiryOfJob } from '../../jobs/domain/job/as-of.ts';
import { jobs } from '../../jobs/domain/job/job.ts';
import { movingJob } from '../../jobs/domain/job/move-job.ts';
import { releasingNames } from '../../jobs/domain/job/names.ts';
import type { JobState } from '../../jobs/domain/job/states.ts';
import { settlingMessage } from '../../jobs/domain/job/tasks.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { counting } from '../../operations/domain/metrics.ts';
import { ofFile } from '../../sentences/sentences.ts';

/**
 * Cancels a job whose approval window has passed, by the wall clock, whether the pipeline is paused or not. A job that
 * was decided on or canceled meanwhile is left alone. Answers its state.
 */
export const expireApproval = (jobId: string, nowMs: number): Promise<JobState | undefined> =>
  retryOnConflict(async () => {
    const job = await jobs.get(jobId);
    const expiry = job && expiryOfJob(job, nowMs);
    if (!job || !expiry) return job?.state;
    const { message, atMs } = expiry;
    const { after, writes } = movingJob(job, { event: 'approvalExpired', message }, atMs);
    const { fileName, profileName } = job;
    const about = { message: ofFile(fileName, message), jobId, profileName };
    await commit([
      ...writes,
      ...releasingNames(job),
      ...unlistingPending(job),
      ...recordingEvent({ type: 'ApprovalExpired', ...about }, nowMs),
      ...recordingEvent({ type: 'JobCanceled', ...about }, nowMs),
      counting('bulk_approvals_expired_total', { profile: profileName }),
      settlingMessage(jobId, { isFallback: true }),
    ]);
    await settleFiles(after, nowMs).catch(() => undefined);
    return after.state;
  });
