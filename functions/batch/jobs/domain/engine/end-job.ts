import { ifThrown } from '../../../../../shared/errors/expected.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { RaceLost } from '../../../../../shared/store/refusals.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { counting } from '../../../operations/domain/metrics.ts';
import { inEnglish, ofFile, recordedAs, type Sentence, sayError } from '../../../sentences/sentences.ts';
import { type Job, type JobErrorCode, jobs } from '../job/job.ts';
import { logFailure } from '../job/log-failure.ts';
import { movingJob } from '../job/move-job.ts';
import { releasingNames, releasingOutput } from '../job/names.ts';
import { PLAIN_RECOVERY, type Recovery } from '../job/recovery.ts';
import { isInFlight, type JobEvent } from '../job/states.ts';
import { settlingMessages } from '../job/tasks.ts';
import { settleFiles } from './settle-files.ts';
import { releasingSlot, type Slot, slots } from './slots.ts';

/** What was found out about a file before its job failed. */
type Found = Partial<Pick<Job, 'staged' | 'cnab240'>>;

type FailureOptions = ErrorOptions & {
  /** What the failure counts and records, in the commit that fails the job. */
  readonly also?: readonly Write[];
  readonly found?: Found;
};

/** Why a job fails: a code of the error table, and a sentence for its operator. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure';
  readonly code: JobErrorCode;
  readonly also: readonly Write[];
  readonly found: Found;
  readonly sentence: Sentence;

  /** Without a message, the sentence is the error table's. */
  constructor(
    code: JobErrorCode,
    sentence: Sentence = sayError(code),
    { also = [], found = {}, ...options }: FailureOptions = {},
  ) {
    super(inEnglish(sentence), options);
    this.sentence = sentence;
    this.code = code;
    this.also = also;
    this.found = found;
  }
}

/** A job that ends, and its slot where it is in flight. */
type Ending = { readonly job: Stored<Job>; readonly slot?: Stored<Slot> };

type FailOptions = {
  /** Whether nothing was written to output/ yet, so that the reserved name is free at once. */
  readonly hasNoOutput?: boolean;
  readonly event?: JobEvent;
  /** Frees the slot. A worker frees its own, whatever version its renewals have left. */
  readonly freeing?: Write;
  readonly found?: Found;
};

// A sentence may quote an answer of any length, and an item of the store has 400 KB.
const MAX_MESSAGE_CHARACTERS = 2_000;

/** A sentence of the table quotes such an answer as a text, which is then the text that is recorded. */
function shorten(sentence: Sentence): Sentence {
  const text = inEnglish(sentence);
  return text.length > MAX_MESSAGE_CHARACTERS ? text.slice(0, MAX_MESSAGE_CHARACTERS) : sentence;
}

/** Fails a job and frees its slot, path and name. Its files are to be settled next; the outbox says so. */
export async function failJob(
  { job, slot }: Ending,
  failure: JobFailure,
  { hasNoOutput = false, event = 'failed', freeing = slot && releasingSlot(slot), found = {} }: FailOptions,
  nowMs: number,
): Promise<Stored<Job>> {
  const { code: errorCode, also } = failure;
  const sentence = shorten(failure.sentence);
  const { message: errorMessage, said: errorSaid } = recordedAs(sentence);
  const freed = hasNoOutput ? job.outputName : null;
  const patch = {
    ...found,
    ...failure.found,
    errorCode,
    errorMessage,
    errorSaid,
    ...(freed !== null && { outputName: null }),
  };
  const { after, writes } = movingJob(job, { event, message: sentence, patch }, nowMs);
  await commit([
    ...writes,
    ...(freeing ? [freeing] : []),
    ...releasingNames(job),
    ...(freed === null ? [] : [releasingOutput(freed, job.id)]),
    ...recordingEvent(
      {
        type: 'JobFailed',
        message: ofFile(job.fileName, sentence),
        jobId: job.id,
        profileName: job.profileName,
        code: errorCode,
      },
      nowMs,
    ),
    counting('bulk_jobs_failed_total'),
    ...settlingMessages(job),
    ...also,
  ]);
  logFailure(after);
  return after;
}

// Two workers may find the same slot without a worker, and a third may take its number in between:
//
//   worker 1  |--reads slot 7 (job a)--|--job a: Failed, slot 7 deleted--|
//   worker 3                                                               |--job b: Processing, slot 7--|
//   worker 2  |--reads slot 7 (job a)---------------------------------------------- deletes slot 7: refused
//
// So the slot is deleted by the version that was read. A worker that lives has renewed it, and keeps its job.

/** Fails the job of a slot whose worker is gone. Nothing happens when another worker was faster, or the worker lives. */
export async function interruptJob(
  slot: Stored<Slot>,
  nowMs: number,
  { guards, endings }: Recovery = PLAIN_RECOVERY,
): Promise<void> {
  const freeing = slots.deleting(slot);
  const job = await jobs.get(slot.jobId);
  if (job?.fence !== slot.fence || !isInFlight(job.state))
    // The slot of a job that has ended: it was deleted by hand, or its table was restored.
    return unlessRaceLost(() => commit([freeing, ...guards]));
  return unlessRaceLost(async () => {
    const failure = new JobFailure('job.interrupted', undefined, { also: endings });
    await settleFiles(await failJob({ job, slot }, failure, { event: 'interrupted', freeing }, nowMs), nowMs);
  });
}

/** Does nothing where another worker was faster, or the worker lives. */
export async function unlessRaceLost(work: () => Promise<void>): Promise<void> {
  await work().catch(ifThrown(RaceLost));
}
