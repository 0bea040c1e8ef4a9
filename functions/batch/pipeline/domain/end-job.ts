import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { type JobErrorCode, jobs } from '../../jobs/domain/job/job.ts';
import { movingJob } from '../../jobs/domain/job/move-job.ts';
import { releasingName, releasingOutput, releasingPath } from '../../jobs/domain/job/names.ts';
import { settleFiles } from '../../jobs/domain/job/settle-files.ts';
import { type ClaimedJob, releasingSlot, type Slot, slots } from '../../jobs/domain/job/slots.ts';
import { isInFlight } from '../../jobs/domain/job/states.ts';
import { settlingMessage } from '../../jobs/domain/job/tasks.ts';
import { recordingEvent } from '../../operations/domain/events.ts';
import { counting } from '../../operations/domain/metrics.ts';

/** Why a job fails: a code of the error table, and a sentence for its operator. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly code: JobErrorCode;

  /** Without a message, the sentence is the error table's. */
  constructor(code: JobErrorCode, message?: string, options?: ErrorOptions) {
    super(message ?? errors.rows[code]?.[1], options);
    this.code = code;
  }
}

type FailOptions = {
  /** Further writes of the same commit. */
  readonly also?: readonly Write[];
  /** Whether nothing was written to output/ yet, so that the reserved name is free at once. */
  readonly hasNoOutput?: boolean;
  readonly event?: 'failed' | 'interrupted';
};

/** Fails a job in flight, frees its slot, path and name, and puts its files in their places. */
export async function failJob(
  { job, slot }: ClaimedJob,
  failure: JobFailure,
  { also = [], hasNoOutput = false, event = 'failed' }: FailOptions,
  nowMs: number,
): Promise<void> {
  const { code: errorCode, message: errorMessage } = failure;
  const freed = hasNoOutput ? job.outputName : null;
  const patch = { errorCode, errorMessage, ...(freed !== null && { outputName: null }) };
  const { after, writes } = movingJob(job, { event, message: errorMessage, patch }, nowMs);
  await commit([
    ...writes,
    releasingSlot(slot),
    ...releasingPath(job),
    releasingName(job),
    ...(freed === null ? [] : [releasingOutput(freed, job.id)]),
    ...recordingEvent(
      {
        type: 'JobFailed',
        message: `${job.fileName}: ${errorMessage}`,
        jobId: job.id,
        profileName: job.profileName,
        code: errorCode,
      },
      nowMs,
    ),
    counting('bulk_jobs_failed_total'),
    settlingMessage(job.id),
    ...also,
  ]);
  await settleFiles(after, nowMs);
}

/** Fails the job of a slot whose worker is gone. Nothing happens when another worker was faster. */
export async function interruptJob(slot: Stored<Slot>, nowMs: number): Promise<void> {
  const job = await jobs.get(slot.jobId);
  const hasEnded = !job || job.fence !== slot.fence || !isInFlight(job.state);
  try {
    // Whoever ended the job has freed its slot, and the next job may have the number: only the slot that was read goes.
    // It is still there where a job was deleted by hand, or a table restored.
    if (hasEnded) await slots.delete(slot);
    else await failJob({ job, slot }, new JobFailure('job.interrupted'), { event: 'interrupted' }, nowMs);
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
  }
}
