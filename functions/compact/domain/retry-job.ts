import { Refusal } from '../../../shared/errors/errors.ts';
import { files } from '../../../shared/files/files.ts';
import { errorKey, type Job } from '../../batch/jobs/domain/job/job.ts';
import { settleFilesOf } from '../../batch/jobs/domain/job/settle-files.ts';
import { findUnsettled } from '../../batch/jobs/domain/job/tasks.ts';
import { findOriginal, type RetryInput, retryJob } from '../../batch/jobs/domain/retry-job.ts';
import { UPLOADS } from '../../batch/jobs/domain/upload-file.ts';
import { copyFromWork, workFiles } from '../../batch/storage/domain/stores.ts';
import { nameRules } from './name-rules.ts';

/**
 * Queues a new job for a failed one whose file is still in error/. Its input is the original one, or the copy in error/
 * where that one is gone: a file that was refused has moved there.
 */
export async function retryFailedJob(id: string, nowMs: number): Promise<Job> {
  // A function that is killed after the copy leaves an upload without a job, which the collector removes a day later.
  let copiedTo: string | undefined;
  const findInput = async (job: Job, newId: string): Promise<RetryInput | undefined> => {
    if (!(await hasErrorCopy(job, nowMs))) return undefined;
    const original = await findOriginal(job);
    if (original) return original;
    const inputKey = `${UPLOADS}/${newId}/${job.fileName}`;
    copiedTo = inputKey;
    const found = await copyFromWork(errorKey(job, job.fileName), inputKey);
    return found && { folder: null, inputShare: null, inputKey, found };
  };
  try {
    return await retryJob(id, nowMs, { rules: nameRules(), findInput });
  } catch (error) {
    if (error instanceof Refusal && copiedTo !== undefined) await files('batch').remove(copiedTo);
    throw error;
  }
}

/** The files of a job that has just failed may not be in their places yet. */
async function hasErrorCopy(job: Job, nowMs: number): Promise<boolean> {
  const { id, fileName } = job;
  if ((await findUnsettled([id])).has(id)) await settleFilesOf(id, nowMs);
  return (await (await workFiles()).head(errorKey(job, fileName))) !== undefined;
}
