import type { Stored } from '../../../../../shared/store/collection.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { removingSignatures } from './approver-signatures.ts';
import { inputOf, isInputRecorded, recordingInput } from './inputs.ts';
import { type Job, jobs, REFUSALS } from './job.ts';
import { changingLists } from './list.ts';
import { releasingKeptName } from './names.ts';

/**
 * Deletes a finished job with its history, takes it off its lists and frees the name that a Completed one carries; the
 * others have freed theirs. The document of a signer folder stays claimed. Refused with RaceLost when the job has changed
 * since it was read. Its files stay for retention, and must be in their places already: settling reads the job. An upload
 * that is still there is known from now on, unless the file is to go with its job.
 * @example await commit([...deletingJob(job), ...recordingEvent({ type: 'JobDeleted', message, jobId, by }, nowMs)]);
 */
export const deletingJob = (job: Stored<Job>, { withInput = false } = {}): Write[] => [
  jobs.deleting(job),
  ...changingLists(job, undefined),
  ...releasingKeptName(job),
  ...removingSignatures(job),
  ...(withInput ? [] : keepingUpload(job)),
];

/** Without this the file would be taken for one that became no job, and be deleted a day later. */
function keepingUpload(job: Job): Write[] {
  const input = inputOf(job);
  if (!input || !job.found || job.retriedAs !== undefined || isInputRecorded(job) || !isInputLeft(job))
    return [];
  return [recordingInput(input, job.found, job.id)];
}

/** Whether a job that has ended, and whose files are in their places, has left its input where it was. */
function isInputLeft({ state, errorCode, isRejected, outputName }: Job): boolean {
  if (state === 'Completed') return errorCode === 'job.input-diverged';
  if (state === 'Canceled') return !isRejected || outputName === null;
  return errorCode === null || !(errorCode === 'job.input-missing' || REFUSALS.has(errorCode));
}
