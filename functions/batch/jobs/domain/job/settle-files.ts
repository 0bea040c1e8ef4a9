import { files } from '../../../../../shared/files/files.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { errors } from '../../../errors.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { errorKey, type Job, jobs, outputKey, stagedKey } from './job.ts';
import { withHistory } from './move-job.ts';
import { forgettingInput, hasOutput, releasingOutput } from './names.ts';
import { cancelingSettling } from './tasks.ts';

/**
 * Puts the files of a job that has ended in their places, then removes its outbox entry. It may be killed anywhere and
 * run again, by the worker or by the sweeper.
 */
export async function settleFiles(job: Stored<Job>, nowMs: number): Promise<void> {
  const writes = job.state === 'Completed' ? await settleCompleted(job, nowMs) : [];
  if (job.state === 'Failed') await settleFailed(job);
  await commit([cancelingSettling(job.id), ...writes]);
}

/** The same by id, for the sweeper. */
export async function settleFilesOf(jobId: string, nowMs: number): Promise<void> {
  const job = await jobs.get(jobId);
  if (job) await settleFiles(job, nowMs);
}

/** Deletes the input, if it still is what was signed, and the staged copy. Answers what is left to write. */
async function settleCompleted(job: Stored<Job>, nowMs: number): Promise<Write[]> {
  const store = files('batch');
  await store.remove(stagedKey(job));
  const { inputKey, staged } = job;
  if (!inputKey || !staged) return [];
  // The entity tag is that of the copy, and differs between stores: length and hash tell the content.
  const { length, sha256 } = staged;
  const outcome = await store.deleteIfSame(inputKey, { length, sha256 });
  if (outcome !== 'changed') return [forgettingInput(inputKey)];
  if (job.errorCode === null) await recordDivergence(job, nowMs);
  return [];
}

/** The rewritten input stays in place, and the job stays Completed. */
async function recordDivergence(job: Stored<Job>, nowMs: number): Promise<void> {
  const errorCode = 'job.input-diverged';
  const errorMessage = errors.rows[errorCode]?.[1] ?? '';
  const { id: jobId, fileName, profileName } = job;
  await commit([
    jobs.changing(job, { errorCode, errorMessage, ...withHistory(job, job.state, errorMessage, nowMs) }),
    ...recordingEvent(
      { type: 'InputDiverged', message: `${fileName}: ${errorMessage}`, jobId, profileName, code: errorCode },
      nowMs,
    ),
    counting('bulk_inputs_diverged_total', { profile: profileName }),
  ]);
}

/** Moves the staged copy, and an output that was written already, to error/. The input stays. */
async function settleFailed(job: Stored<Job>): Promise<void> {
  const store = files('batch');
  await store.move(stagedKey(job), errorKey(job, job.fileName));
  const { id, outputName } = job;
  // Two runs may meet. The second must not move a file of the job that has the name after this one.
  if (outputName === null || !(await hasOutput(outputName, id))) return;
  await store.move(outputKey(outputName), errorKey(job, outputName));
  // After the file: another job must not write to a name that still has one.
  await commit([jobs.changing(job, { outputName: null }), releasingOutput(outputName, id)]);
}
