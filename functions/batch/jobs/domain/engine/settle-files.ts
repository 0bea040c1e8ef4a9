import { clockFrom } from '../../../../../shared/async/clock.ts';
import { FileExists } from '../../../../../shared/files/errors.ts';
import type { Files } from '../../../../../shared/files/files.ts';
import { sha256Of } from '../../../../../shared/files/sha256.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { ofFile, recordedAs, say, sayError } from '../../../sentences/sentences.ts';
import { settings } from '../../../settings.ts';
import { InputHeld, removeOwnLease, whileInputHeld } from '../../../storage/domain/input-lease.ts';
import { ShareMissing } from '../../../storage/domain/share.ts';
import { explainShareFailure } from '../../../storage/domain/share-failure.ts';
import { inputFiles, isWorkStore, moveInput, workFiles } from '../../../storage/domain/stores.ts';
import {
  InputKnown,
  type InputPlace,
  inputOf,
  isInputRecorded,
  readInputs,
  recordingDeletion,
} from '../job/inputs.ts';
import { errorKey, type Job, jobs, outputKey, paymentsKey, REFUSALS, stagedKey } from '../job/job.ts';
import { changingLists } from '../job/list.ts';
import { withHistory } from '../job/move-job.ts';
import { outputHolder, releasingOutput } from '../job/names.ts';
import { jobStates } from '../job/states.ts';
import { cancelingSettling, settlingMessage } from '../job/tasks.ts';

// A lease that cannot be read, or ends in the far future, is looked at again after this time.
const LOOK_AGAIN_MS = 3_600_000;
// A share may be away for days, longer than a message is tried again. Its files are looked at this often.
const SHARE_AGAIN_MS = 300_000;

/**
 * Puts the files of a job that has ended in their places, then removes its outbox entry. It may be killed anywhere and
 * run again, by the worker or by the sweeper. Where another process holds the input, or a share does not answer, they are
 * left for later: 'held'.
 */
export async function settleFiles(job: Stored<Job>, nowMs: number): Promise<'settled' | 'held'> {
  // A document of the external service has no files here.
  if (job.folderDocument) return 'settled';
  const done = cancelingSettling(job.id);
  try {
    await commit([done, ...(await settle(job, clockFrom(nowMs)))]);
  } catch (error) {
    if (error instanceof InputHeld) {
      const endsAtMs = Math.min(error.untilMs ?? Number.POSITIVE_INFINITY, nowMs + LOOK_AGAIN_MS);
      await commit([settlingMessage(job.id, { dueAtMs: endsAtMs })]);
      return 'held';
    }
    // A file was written there meanwhile, and has a job: that one is known. Nobody can delete the input of a share that
    // was removed.
    const isOver =
      error instanceof InputKnown || (error instanceof ShareMissing && error.share === job.inputShare);
    if (!isOver) {
      if (!isOfShare(job, error)) throw error;
      await commit([settlingMessage(job.id, { dueAtMs: nowMs + SHARE_AGAIN_MS })]);
      return 'held';
    }
    await commit([done]);
  }
  return 'settled';
}

/** Whether a share failed: one that hangs or answers 500, and a work share that another installation holds. */
function isOfShare({ inputShare }: Job, error: unknown): boolean {
  const share = inputShare ?? settings['Storage:Work']?.share;
  return share !== undefined && explainShareFailure(share, error) !== undefined;
}

/** Answers what is left to write. */
async function settle(job: Stored<Job>, now: () => number): Promise<Write[]> {
  // A worker that was lost while it parked a job has left the index without a word of it. Any other stays as long as the
  // job: approvers see what they decided on.
  if (!job.approval?.paymentsIndex && job.errorCode === 'job.interrupted')
    await (await workFiles()).remove(paymentsKey(job));
  if (job.state === 'Completed') return settleCompleted(job, now);
  if (job.state === 'Failed') return settleFailed(job, now);
  if (job.state !== 'Canceled') return [];
  return job.isRejected && job.outputName !== null
    ? settleRejected(job, job.outputName, now)
    : settleCanceled(job);
}

/** The same by id, for the sweeper. A job that does not exist has nothing left, and one that goes on keeps its files. */
export async function settleFilesOf(jobId: string, nowMs: number): Promise<'settled' | 'held'> {
  const job = await jobs.get(jobId);
  return job && jobStates.isTerminal(job.state) ? settleFiles(job, nowMs) : 'settled';
}

/** Deletes the staged copy, and the input if it still is what was signed. */
async function settleCompleted(job: Stored<Job>, now: () => number): Promise<Write[]> {
  const input = inputOf(job);
  const isHeld = job.folder !== null && job.staged !== null;
  // In the bucket of its input the copy goes with the lease of the input.
  if (input && isHeld && isWorkStore(input.share)) return deleteInput(job, now, stagedKey(job));
  if (!job.staged?.isInput) await (await workFiles()).remove(stagedKey(job));
  return deleteInput(job, now);
}

async function deleteInput(job: Stored<Job>, now: () => number, copy?: string): Promise<Write[]> {
  const { staged } = job;
  const input = inputOf(job);
  if (!input || !staged) return [];
  const { owner } = await findOwner(job, input);
  if (owner !== 'this job' && copy !== undefined) await (await workFiles()).remove(copy);
  if (owner === 'nobody') return [];
  if (owner === 'another job') return recordDivergence(job, now());
  const store = await inputFiles(input.share);
  // An upload is in the service's own bucket, whose tags say whether its sender has put another file.
  const deletion = () =>
    job.folder === null ? store.deleteByTag(input.key, staged.etag) : store.deleteIfSame(input.key, staged);
  const outcome = await whileHeld(job, input, deletion, now, copy);
  if (outcome === 'changed') {
    await recordDivergence(job, now());
    // The file that is there now is a new one, whatever its tag. A rewritten upload is kept for retention.
    if (job.folder === null) return [];
  }
  return isInputRecorded(job) ? [recordingDeletion(job, input, now())] : [];
}

// A file of a folder may be there again, and be another job's, before this job is settled:
//
//   job 1    |--Completed------ killed                          sweeper: |--not the owner: leaves the file--|
//   owner         |--rewrites the file--|--job 2 + INPUT--|
//
// An upload has a key of its own.

/** Whose file the input is now, and its tag. */
async function findOwner(
  { id, folder }: Job,
  { share, key }: InputPlace,
): Promise<{ readonly owner: 'this job' | 'another job' | 'nobody'; readonly etag?: string }> {
  if (folder === null) return { owner: 'this job' };
  const known = (await readInputs(share, [key])).get(key);
  if (known && known.jobId !== id) return { owner: 'another job' };
  return known && known.goneAtMs === undefined
    ? { owner: 'this job', etag: known.etag }
    : { owner: 'nobody' };
}

/** Files of folders are held while they are deleted. Uploads have keys that nobody else knows. */
const whileHeld = async <T>(
  { folder }: Job,
  { share, key }: InputPlace,
  work: () => Promise<T>,
  now: () => number,
  copy?: string,
): Promise<T> => (folder === null ? work() : whileInputHeld(await inputFiles(share), key, work, now, copy));

/** The rewritten input stays in place, and the job stays Completed. The next scan of its folder finds it. */
async function recordDivergence(job: Stored<Job>, nowMs: number): Promise<Write[]> {
  if (job.errorCode !== null) return [];
  const errorCode = 'job.input-diverged';
  const sentence = sayError(errorCode);
  const { message, said } = recordedAs(sentence);
  const { id: jobId, fileName, profileName } = job;
  const change = jobs.changing(job, {
    errorCode,
    // A rejected job keeps the words of the rejection.
    ...(job.errorMessage === null && { errorMessage: message, errorSaid: said }),
    ...withHistory(job, job.state, sentence, nowMs),
  });
  await commit([
    change,
    ...changingLists(job, change.after),
    ...recordingEvent(
      { type: 'InputDiverged', message: ofFile(fileName, sentence), jobId, profileName, code: errorCode },
      nowMs,
    ),
    counting('bulk_inputs_diverged_total', { profile: profileName }),
  ]);
  return [];
}

/** Moves the staged copy, and an output that was written already, to error/. The input stays, unless it was refused. */
async function settleFailed(job: Stored<Job>, now: () => number): Promise<Write[]> {
  if (job.errorCode !== null && REFUSALS.has(job.errorCode)) return settleRefused(job, now);
  if (job.errorCode === 'job.interrupted') await removeLeaseOf(job);
  const store = await workFiles();
  if ((await store.move(stagedKey(job), errorKey(job))) === 'gone') await copyUpload(job, store);
  const { id, outputName } = job;
  // Two runs may meet. The second must not move a file of the job that has the name after this one.
  if (outputName === null || (await outputHolder(outputName)) !== id) return [];
  await store.move(outputKey(outputName), errorKey(job, outputName));
  // After the file: another job must not write to a name that still has one.
  await commit([jobs.changing(job, { outputName: null }), releasingOutput(outputName, id)]);
  return [];
}

/** An upload that was signed where it is has no staged copy. It stays, and a copy of it goes to error/. */
async function copyUpload(job: Stored<Job>, work: Files): Promise<void> {
  const input = inputOf(job);
  if (input && job.folder === null && isWorkStore(input.share))
    await work.copy(input.key, errorKey(job), job.staged?.etag ?? job.found?.etag);
}

/** Gives the file of a rejected job back to output/, and removes the original if it still is that file. */
async function settleRejected(job: Stored<Job>, outputName: string, now: () => number): Promise<Write[]> {
  const work = await workFiles();
  const [staged, output] = [stagedKey(job), outputKey(outputName)];
  if (await holdsCopy(work, staged, job)) await copyUnlessThere(work, staged, output);
  if (!(await holdsCopy(work, output, job))) return settleUnreturned(job, outputName, now());
  await work.remove(staged);
  return deleteInput(job, now);
}

async function copyUnlessThere(work: Files, from: string, to: string): Promise<void> {
  const opened = await work.get(from);
  if (!opened) return;
  const { stream, contentType } = opened;
  try {
    await work.put(to, stream, { contentType, onlyIfAbsent: true });
  } catch (error) {
    if (!(error instanceof FileExists)) throw error;
    stream.destroy();
  }
}

/** Whether a file has the bytes that were staged. A run that was killed may have left them there. */
async function holdsCopy(work: Files, key: string, { staged }: Job): Promise<boolean> {
  const found = await work.get(key);
  return found !== undefined && (await sha256Of(found.stream)) === staged?.sha256;
}

/**
 * The file could not be given back: a file that belongs to no job has its name in output/, or the staged copy was changed
 * or removed. The copy goes to error/, and the input, which may be the only whole one, stays.
 */
async function settleUnreturned(job: Stored<Job>, outputName: string, nowMs: number): Promise<Write[]> {
  await settleCanceled(job);
  const message = say('job.not-returned', { name: outputName });
  const history = withHistory(job, job.state, message, nowMs);
  return [jobs.changing(job, { outputName: null, ...history }), releasingOutput(outputName, job.id)];
}

/** Moves the staged copy of a job that waited for signers or approvers to error/. Its input stays. */
async function settleCanceled(job: Stored<Job>): Promise<Write[]> {
  if (job.staged) await (await workFiles()).move(stagedKey(job), errorKey(job));
  return [];
}

/** A worker that was killed while it staged its input has left its lease there. */
async function removeLeaseOf(job: Stored<Job>): Promise<void> {
  const input = inputOf(job);
  if (!input || job.folder === null || (await findOwner(job, input)).owner !== 'this job') return;
  await removeOwnLease(await inputFiles(input.share), input.key);
}

/** Moves a refused file to error/. One that was rewritten meanwhile stays: it is a new one. */
async function settleRefused(job: Stored<Job>, now: () => number): Promise<Write[]> {
  const input = inputOf(job);
  const { owner, etag } = input ? await findOwner(job, input) : { owner: 'nobody' };
  if (!input || owner !== 'this job') return [];
  const move = () => moveInput(input, errorKey(job), etag);
  const outcome = await whileHeld(job, input, move, now);
  return outcome === 'changed' || !isInputRecorded(job) ? [] : [recordingDeletion(job, input, now())];
}
