import type { Stored } from '../../../../../shared/store/collection.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { removingSignatures } from './approver-signatures.ts';
import { type Job, jobs } from './job.ts';
import { changingLists } from './list.ts';
import { releasingKeptName } from './names.ts';

/**
 * Deletes a finished job with its history, takes it off its lists and frees the name that a Completed one carries; the
 * others have freed theirs. The document of a signer folder stays claimed. Refused with RaceLost when the job has changed since it was read. Its files stay for
 * retention, and must be in their places already: settling reads the job.
 * @example await commit([...deletingJob(job), ...recordingEvent({ type: 'JobDeleted', message, jobId, by }, nowMs)]);
 */
export const deletingJob = (job: Stored<Job>): Write[] => [
  jobs.deleting(job),
  ...changingLists(job, undefined),
  ...releasingKeptName(job),
  ...removingSignatures(job),
];
