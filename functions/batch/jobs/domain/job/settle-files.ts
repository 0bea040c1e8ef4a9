import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { errors } from '../../../errors.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { InputHeld, whileInputHeld } from '../../../storage/domain/input-lease.ts';
import { inputFiles, moveInput, workFiles } from '../../../storage/domain/stores.ts';
import { InputKnown, type InputPlace, inputOf, recordingDeletion } from './inputs.ts';
import { errorKey, type Job, jobs, outputKey, stagedKey } from './job.ts';
import { withHistory } from './move-job.ts';
import { outputHolder, releasingOutput } from './names.ts';
import { cancelingSettling, settlingMessage } from './tasks.ts';

// A lease that cannot be read, or ends in the far future, is looked at again after this time.
const LOOK_AGAIN_MS = 3_600_000;

/**
 * Puts the files of a job that has ended in their places, then removes its outbox entry. It may be killed anywhere and
 * run again, by the worker or by the sweeper. Where another process holds the input, it is left for later.
 */
export async function settleFiles(job: Stored<Job>, nowMs: number): Promise<void> {
  const done = cancelingSettling(job.id);
  try {
    await commit([done, ...(await settle(job, nowMs))]);
  } catch (error) {
    if (error instanceof InputHeld) {
      const endsAtMs = Math.min(error.untilMs ?? Number.POSITIVE_INFINITY, nowMs + LOOK_AGAIN_MS);
      await commit([settlingMessage(job.id, endsAtMs)]);
    } else if (error instanceof InputKnown) {
      // A file was written there meanwhile, and has a job: that one is known.
      await commit([done]);
    } else throw error;
  }
}

/** Answers what is left to write. */
async function settle(job: Stored<Job>, nowMs: number): Promise<Write[]> {
  if (job.state === 'Completed') return settleCompleted(job, nowMs);
  if (job.state === 'Failed') return settleFailed(job, nowMs);
  return [];
}

/** The same by id, for the sweeper. */
export async function settleFilesOf(jobId: string, nowMs: number): Promise<void> {
  const job = await jobs.get(jobId);
  if (job) await settleFiles(job, nowMs);
}

/** Deletes the input, if it still is what was signed, and the staged copy. */
async function settleCompleted(job: Stored<Job>, nowMs: number): Promise<Write[]> {
  await (await workFiles()).remove(stagedKey(job));
  const { staged } = job;
  const input = inputOf(job);
  if (!input || !staged) return [];
  const { length, sha256, etag } = staged;
  const store = await inputFiles(input.share);
  // In the own bucket length and hash tell the content: there the tag is that of the copy.
  const known = { length, sha256, ...(input.share !== null && { etag }) };
  const outcome = await whileHeld(job, input, () => store.deleteIfSame(input.key, known), nowMs);
  if (outcome !== 'changed') return [recordingDeletion(job, input, nowMs)];
  if (job.errorCode === null) await recordDivergence(job, nowMs);
  return [];
}

/** Files of folders are held while they are deleted. Uploads have keys that nobody else knows. */
const whileHeld = async <T>(
  { folder }: Job,
  { share, key }: InputPlace,
  work: () => Promise<T>,
  nowMs: number,
): Promise<T> => (folder === null ? work() : whileInputHeld(await inputFiles(share), key, work, () => nowMs));

/** The rewritten input stays in place, and the job stays Completed. The next scan of its folder finds it. */
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

/** Moves the staged copy, and an output that was written already, to error/. The input stays, unless it was refused. */
async function settleFailed(job: Stored<Job>, nowMs: number): Promise<Write[]> {
  if (job.errorCode === 'file.already-processed') return settleRefused(job, nowMs);
  const store = await workFiles();
  await store.move(stagedKey(job), errorKey(job, job.fileName));
  const { id, outputName } = job;
  // Two runs may meet. The second must not move a file of the job that has the name after this one.
  if (outputName === null || (await outputHolder(outputName)) !== id) return [];
  await store.move(outputKey(outputName), errorKey(job, outputName));
  // After the file: another job must not write to a name that still has one.
  await commit([jobs.changing(job, { outputName: null }), releasingOutput(outputName, id)]);
  return [];
}

/** Moves the file whose name another job carries to error/. One that was rewritten meanwhile stays. */
async function settleRefused(job: Stored<Job>, nowMs: number): Promise<Write[]> {
  const input = inputOf(job);
  if (!input) return [];
  const outcome = await whileHeld(job, input, () => moveInput(input, errorKey(job, job.fileName)), nowMs);
  return outcome === 'changed' ? [] : [recordingDeletion(job, input, nowMs)];
}
