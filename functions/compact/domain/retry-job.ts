import { Refusal } from '../../../shared/errors/errors.ts';
import { files } from '../../../shared/files/files.ts';
import { settleFilesOf } from '../../batch/jobs/domain/engine/settle-files.ts';
import { inputOf, isInputRecorded, type KnownInput, readInputs } from '../../batch/jobs/domain/job/inputs.ts';
import { errorKey, type Job } from '../../batch/jobs/domain/job/job.ts';
import { findUnsettled } from '../../batch/jobs/domain/job/tasks.ts';
import { findOriginal, type RetryInput, retryJob } from '../../batch/jobs/domain/retry-job.ts';
import { keyOfUpload } from '../../batch/jobs/domain/upload-file.ts';
import { copyFromWork, withWorkInReach, workFiles } from '../../batch/storage/domain/stores.ts';
import { nameRules } from './name-rules.ts';

/**
 * Queues a new job for a failed one whose file is still in error/. Its input is the original one, or the copy in error/
 * where that one is no longer the file that failed: a file that was refused has moved there.
 */
export async function retryFailedJob(id: string, nowMs: number): Promise<Job> {
  // A function that is killed after the copy leaves an upload without a job, which the collector removes a day later.
  let copiedTo: string | undefined;
  const findInput = async (job: Job, newId: string): Promise<RetryInput | undefined> => {
    if (!(await hasErrorCopy(job, nowMs))) return undefined;
    const original = await findUnchanged(job);
    if (original) return original;
    const inputKey = keyOfUpload(newId, job.fileName);
    copiedTo = inputKey;
    const found = await copyFromWork(errorKey(job), inputKey);
    return found && { folder: null, inputShare: null, inputKey, found };
  };
  try {
    return await retryJob(id, nowMs, {
      rules: nameRules(),
      onlyFailed: true,
      findInput: (job, newId) => withWorkInReach(() => findInput(job, newId)),
    });
  } catch (error) {
    if (error instanceof Refusal && copiedTo !== undefined) await files('batch').remove(copiedTo);
    throw error;
  }
}

// A file of a folder may have been rewritten since its job failed. A retry signs what failed:
//
//   job 1  |--report.pdf, tag a--|--Failed: a copy of a is in error/--|
//   owner                                  |--rewrites it: tag b--|
//   retry                                                          |--the copy of a, and not b--|

/** The original input, where it is the file that this job was made of, and no other job since. */
async function findUnchanged(job: Job): Promise<RetryInput | undefined> {
  const place = inputOf(job);
  const known = place && ((await readInputs(place.share, [place.key])).get(place.key) ?? uploadOf(job));
  if (known?.jobId !== job.id) return undefined;
  const original = await findOriginal(job);
  const isSame = original?.found.etag === known.etag && original.found.length === known.length;
  return isSame ? original : undefined;
}

/** An upload is the file of the first job that was made of it, until it is recorded as that of another. */
const uploadOf = (job: Job): KnownInput | undefined =>
  isInputRecorded(job) || job.retriedAs !== undefined || !job.found
    ? undefined
    : { jobId: job.id, ...job.found };

/** The files of a job that has just failed may not be in their places yet. */
async function hasErrorCopy(job: Job, nowMs: number): Promise<boolean> {
  const { id } = job;
  if ((await findUnsettled([id])).has(id)) await settleFilesOf(id, nowMs);
  return (await (await workFiles()).head(errorKey(job))) !== undefined;
}
