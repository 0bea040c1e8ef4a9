import type { Caller } from '../../../../shared/access/caller.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { errors } from '../../errors.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { counting } from '../../operations/domain/metrics.ts';
import { inEnglish, ofFile, say } from '../../sentences/sentences.ts';
import { requireShort } from '../reason.ts';
import { type ActOptions, requireStill } from './job/act-options.ts';
import { unlistingPending } from './job/approver-lists.ts';
import { jobAsOf } from './job/as-of.ts';
import { type Job, requireJob } from './job/job.ts';
import { movingJob } from './job/move-job.ts';
import { releasingNames } from './job/names.ts';
import { jobStates } from './job/states.ts';
import { cancelingDocument, settlingMessage } from './job/tasks.ts';

type CancelRequest = { readonly id: string; readonly reason?: string | null | undefined };

// A worker and an operator meet on a queued job:
//
//   operator  |--reads Queued---------- canceled: refused, job.race-lost --|
//   worker      |--reads Queued--- Processing --|
//
// Both expect the version that they read, so the job is either signed or canceled.

/**
 * Cancels a job that no worker has. Its input stays where it is, and its path and name are free. The external service is
 * told afterwards: the outbox says so, and the history has its answer.
 */
export async function cancelJob(
  caller: Pick<Caller, 'application'>,
  request: CancelRequest,
  nowMs: number,
  { onlyIf, also = [] }: ActOptions = {},
): Promise<Job> {
  const reason = requireShort(request.reason);
  const job = await requireJob(request.id);
  requireStill(job, onlyIf, nowMs);
  const { state: status } = jobAsOf(job, nowMs);
  if (!jobStates.accepts(status, 'canceledByOperator')) throw errors.refuse('job.not-queued', { status });
  const { application: by } = caller;
  const message = reason ? say('job.canceled-because', { by, reason }) : say('job.canceled-by', { by });
  const { after, writes } = movingJob(job, { event: 'canceledByOperator', message }, nowMs);
  const { id: jobId, fileName, profileName } = job;
  // A job that waited for its signers has a staged copy, and a document that nobody shall sign any more.
  const tasks = [
    ...(job.staged ? [settlingMessage(jobId)] : []),
    ...cancelingDocument(job, inEnglish(message)),
  ];
  try {
    await commit([
      ...writes,
      ...releasingNames(job),
      ...unlistingPending(job),
      ...recordingEvent(
        { type: 'JobCanceled', message: ofFile(fileName, message), jobId, profileName, by },
        nowMs,
      ),
      counting('bulk_jobs_canceled_total'),
      ...tasks,
      ...also,
    ]);
  } catch (error) {
    throw error instanceof RaceLost ? errors.refuse('job.race-lost') : error;
  }
  return after;
}
