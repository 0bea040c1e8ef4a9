import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileExists } from '../../../../shared/files/errors.ts';
import type { Source } from '../../../../shared/files/put.ts';
import type { Logger } from '../../../../shared/log/logger.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { errorKey, type Job, outputKey } from '../../jobs/domain/job/job.ts';
import { movingJob } from '../../jobs/domain/job/move-job.ts';
import { OutputTaken, outputHolder, releasingPath, reservingOutput } from '../../jobs/domain/job/names.ts';
import { isEncrypted, outputNameOf } from '../../jobs/domain/job/output-names.ts';
import { settleFiles, settleFilesOf } from '../../jobs/domain/job/settle-files.ts';
import { type ClaimedJob, releasingSlot, whileHeld } from '../../jobs/domain/job/slots.ts';
import { jobStates } from '../../jobs/domain/job/states.ts';
import { settlingMessage } from '../../jobs/domain/job/tasks.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { counting, observing } from '../../operations/domain/metrics.ts';
import { workFiles } from '../../storage/domain/stores.ts';
import { failJob, JobFailure } from './end-job.ts';
import { GateFailure, type Passed, passGates } from './gates.ts';
import { contentOf, signStaged, verifySigned } from './sign-job.ts';
import { type StagedInput, stageInput } from './stage-input.ts';

export type Worker = { readonly logger: Logger; readonly now: () => number };

/** How far a job has come, for its failure. */
type Progress = {
  readonly slot: ClaimedJob['slot'];
  job: Stored<Job>;
  /** What was found out about the file. */
  found: Partial<Pick<Job, 'staged' | 'cnab240'>>;
  /** Whether the output may be there, and whether it surely is. */
  output: 'none' | 'maybe' | 'stored';
};

/**
 * Takes a claimed job to its end. It never runs again: a job whose worker is gone fails, because its key may have signed.
 *
 *   claimed -- staged -- gates -- signed -- Verifying, name reserved -- verified -- encrypted -- output/ -- Completed
 */
export async function processJob({ job, slot }: ClaimedJob, { logger, now }: Worker): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sinete-job-'));
  const progress: Progress = { job, slot, found: {}, output: 'none' };
  try {
    await whileHeld(slot, () => completeJob(progress, folder, now), now);
  } catch (error) {
    await endFailed(progress, error, { logger, now });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  await putAway(progress, now()).catch((error) =>
    logger.warn(
      'The files of a job are not in their places yet. The sweeper settles those of a job that has ended.',
      {
        jobId: job.id,
        error,
      },
    ),
  );
}

async function completeJob(progress: Progress, folder: string, now: () => number): Promise<void> {
  const { job } = progress;
  const staged = await stageInput(job, folder, now);
  progress.found = { staged: staged.measured };
  const passed = await passGates(job, staged, now());
  progress.found = { staged: staged.measured, cnab240: passed.cnab240 };
  const startedAtMs = now();
  const signed = await signStaged(job, passed, staged, { folder, nowMs: startedAtMs });
  progress.job = await markVerifying(job, passed, staged, now());
  if (passed.profile.verify) await verifySigned(job, passed, signed, now());
  const { outputName } = progress.job;
  if (outputName === null) throw new Error('A job that is being verified has a name for its output.');
  const content = contentOf(passed, signed, isEncrypted(job, passed.profile));
  await storeOutput(progress, outputName, content);
  progress.job = await markCompleted(progress, passed, { startedAtMs, nowMs: now() });
}

/** Never overwrites: a worker that lost its job meanwhile must not replace the output of another. */
async function storeOutput(progress: Progress, outputName: string, content: Source): Promise<void> {
  // From here on the file may be there, whatever S3 answers.
  progress.output = 'maybe';
  try {
    const options = { contentType: 'application/octet-stream', onlyIfAbsent: true };
    await (await workFiles()).put(outputKey(outputName), content, options);
    progress.output = 'stored';
  } catch (error) {
    if (!(error instanceof FileExists)) throw error;
    progress.output = 'none';
    const message = `output/ has a file ${outputName} that belongs to no job. Move it away, then retry.`;
    throw new JobFailure('job.signing-failed', message);
  }
}

/** Moves the job to Verifying and reserves the name of its output: the usual one, or one with a part of its id. */
async function markVerifying(
  job: Stored<Job>,
  { profile, cnab240 }: Passed,
  { measured }: StagedInput,
  nowMs: number,
): Promise<Stored<Job>> {
  const reserve = async (isOutputNumbered: boolean): Promise<Stored<Job>> => {
    const outputName = outputNameOf(job, profile, { isNumbered: isOutputNumbered });
    const patch = { staged: measured, cnab240, outputName, isOutputNumbered };
    const { after, writes } = movingJob(job, { event: 'signed', message: 'Signed.', patch }, nowMs);
    await commit([...writes, reservingOutput(outputName, job.id)]);
    return after;
  };
  try {
    return await reserve(false);
  } catch (error) {
    if (error instanceof OutputTaken) return reserve(true);
    throw error;
  }
}

async function markCompleted(
  { job, slot }: Progress,
  { profile, counted }: Passed,
  { startedAtMs, nowMs }: { readonly startedAtMs: number; readonly nowMs: number },
): Promise<Stored<Job>> {
  const { id: jobId, fileName, profileName, format } = job;
  const about = { jobId, profileName };
  const message = profile.verify ? 'Verified and released.' : 'Released. The profile skips verification.';
  const { after, writes } = movingJob(job, { event: 'verified', message }, nowMs);
  await commit([
    ...writes,
    releasingSlot(slot),
    ...releasingPath(job),
    ...recordingEvent(
      { type: 'OutputFileCreated', message: `${fileName}: ${job.outputName} is in output/.`, ...about },
      nowMs,
    ),
    ...recordingEvent({ type: 'JobCompleted', message: `${fileName}: ${message}`, ...about }, nowMs),
    counting('bulk_jobs_completed_total'),
    observing('bulk_signing_duration_seconds', { format }, (nowMs - startedAtMs) / 1000),
    ...(profile.verify ? [] : [counting('bulk_jobs_verify_skipped_total', { profile: profileName })]),
    ...(isEncrypted(job, profile) ? [counting('bulk_files_encrypted_total')] : []),
    ...counted,
    settlingMessage(jobId),
  ]);
  return after;
}

const UNEXPECTED =
  'An unexpected error ended the job. The log of the service has it under the id of the job.';

/** Puts the files of a job in their places, and those that a worker wrote for a job that another has failed. */
async function putAway({ job, output }: Progress, nowMs: number): Promise<void> {
  if (jobStates.isTerminal(job.state)) {
    await settleFiles(job, nowMs);
    return;
  }
  const { id, outputName } = job;
  // The same file signed again within a second is the same bytes: a name that another job has by now stays.
  if (output === 'stored' && outputName !== null && (await outputHolder(outputName)) === undefined)
    await (await workFiles()).move(outputKey(outputName), errorKey(job, outputName));
  await settleFilesOf(id, nowMs);
}

/** Fails the job for what happened. A job that another has failed or taken meanwhile is left alone. */
async function endFailed(progress: Progress, error: unknown, { logger, now }: Worker): Promise<void> {
  const { id: jobId } = progress.job;
  try {
    if (error instanceof RaceLost) throw error;
    if (!(error instanceof JobFailure)) logger.error('A job failed unexpectedly.', { jobId, error });
    const failure = error instanceof JobFailure ? error : new JobFailure('job.signing-failed', UNEXPECTED);
    const gate = failure instanceof GateFailure ? failure : undefined;
    const found = { ...progress.found, ...(gate?.cnab240 && { cnab240: gate.cnab240 }) };
    const hasNoOutput = progress.output === 'none';
    progress.job = await failJob(progress, failure, { also: gate?.also ?? [], found, hasNoOutput }, now());
  } catch (cause) {
    if (cause instanceof RaceLost)
      logger.warn('A worker lost its job: its lease had ended. Another has ended the job.', { jobId });
    // The lease ends, and another worker fails the job.
    else logger.error('A failed job could not be recorded as such yet.', { jobId, error: cause });
  }
}
