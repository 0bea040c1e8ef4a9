import type { Work } from '../../../../../shared/queue/work.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import { workFiles } from '../../../storage/domain/stores.ts';
import { errorKey, type Job, outputKey } from '../job/job.ts';
import { outputHolder } from '../job/names.ts';
import { isInFlight, jobStates } from '../job/states.ts';
import { failJob, JobFailure } from './end-job.ts';
import { settleFiles, settleFilesOf } from './settle-files.ts';
import { type ClaimedJob, whileSlotHeld } from './slots.ts';

/** How far a claimed job has come. The work writes here what its failure needs. */
export type Progress = {
  readonly slot: ClaimedJob['slot'];
  job: Stored<Job>;
  /** What was found out about the file. */
  found: Partial<Pick<Job, 'staged' | 'cnab240'>>;
  /** Whether the output may be there, and whether it surely is. */
  output: 'none' | 'maybe' | 'stored';
};

/**
 * The work is done elsewhere, and only its record is missing. The job stays in flight with its slot: when the lease ends,
 * its recovery records what happened. `cause` is logged.
 */
export class LeftInFlight extends Error {
  override readonly name = 'LeftInFlight';
}

/**
 * Runs the work on a claimed job while its slot is held. Fails the job where the work does not end, and puts the files
 * of a job that has ended in their places. The work leaves the job in its next state.
 */
export async function runClaimed(
  { job, slot }: ClaimedJob,
  run: (progress: Progress) => Promise<void>,
  work: Work,
): Promise<void> {
  const progress: Progress = { job, slot, found: {}, output: 'none' };
  try {
    await whileSlotHeld(slot, () => run(progress), work.now);
  } catch (error) {
    await endFailed(progress, error, work);
  }
  await putAway(progress, work.now()).catch((error) =>
    work.logger.warn(
      'The files of a job are not in their places yet. The sweeper settles those of a job that has ended.',
      { jobId: job.id, error },
    ),
  );
}

const UNEXPECTED =
  'An unexpected error ended the job. The log of the service has it under the id of the job.';

/** Puts the files of a job in their places, and those that a worker wrote for a job that another has failed. */
async function putAway({ job, output }: Progress, nowMs: number): Promise<void> {
  if (jobStates.isTerminal(job.state)) {
    await settleFiles(job, nowMs);
    return;
  }
  // It waits for somebody, or is queued again: its files stay where they are.
  if (!isInFlight(job.state)) return;
  const { id, outputName } = job;
  // The same file signed again within a second is the same bytes: a name that another job has by now stays.
  if (output === 'stored' && outputName !== null && (await outputHolder(outputName)) === undefined)
    await (await workFiles()).move(outputKey(outputName), errorKey(job, outputName));
  await settleFilesOf(id, nowMs);
}

/** Fails the job for what happened. A job that another has failed or taken meanwhile is left alone. */
async function endFailed(progress: Progress, error: unknown, { logger, now }: Work): Promise<void> {
  const { id: jobId } = progress.job;
  try {
    if (error instanceof RaceLost) throw error;
    if (error instanceof LeftInFlight) {
      logger.error('A job is left to its recovery.', { jobId, error });
      return;
    }
    if (!(error instanceof JobFailure)) logger.error('A job failed unexpectedly.', { jobId, error });
    const failure = error instanceof JobFailure ? error : new JobFailure('job.signing-failed', UNEXPECTED);
    const { found, output } = progress;
    progress.job = await failJob(progress, failure, { found, hasNoOutput: output === 'none' }, now());
  } catch (cause) {
    if (cause instanceof RaceLost)
      logger.warn('A worker lost its job: its lease had ended. Another has ended the job.', { jobId });
    // The lease ends, and another worker fails the job.
    else logger.error('A failed job could not be recorded as such yet.', { jobId, error: cause });
  }
}
