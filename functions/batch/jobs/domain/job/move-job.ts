import type { Stored } from '../../../../../shared/store/collection.ts';
import { NotAllowed } from '../../../../../shared/store/state-machine.ts';
import type { Write } from '../../../../../shared/store/write.ts';
import { recordedAs, type Sentence } from '../../../sentences/sentences.ts';
import { type Job, jobs } from './job.ts';
import { changingLists } from './list.ts';
import { type JobEvent, type JobState, jobStates } from './states.ts';

type Step = {
  readonly event: JobEvent;
  /** The sentence of the job's history. */
  readonly message: Sentence;
  readonly patch?: Partial<Omit<Job, 'state' | 'history'>>;
};

/** The writes of one step of a job: the job with its history, and its lists. */
export type Move = { readonly after: Stored<Job>; readonly writes: readonly Write[] };

/**
 * One step of a job as writes, for a commit with whatever else the step changes. Refused with RaceLost when the job has
 * changed since it was read; throws NotAllowed when the table has no such step.
 * @example const { after, writes } = movingJob(job, { event: 'pickedUp', message: 'Picked up.' }, nowMs);
 */
export function movingJob(job: Stored<Job>, { event, message, patch = {} }: Step, nowMs: number): Move {
  const state = jobStates.next(job.state, event);
  if (state === undefined) throw new NotAllowed(job.state, event);
  const write = jobs.changing(
    job,
    { ...patch, state, ...whyEnded(state, message), ...withHistory(job, state, message, nowMs) },
    // The version alone would do. The state and the fence say why.
    { when: { state: job.state, fence: job.fence } },
  );
  return { after: write.after, writes: [write, ...changingLists(job, write.after)] };
}

/** A canceled job tells who or what canceled it. It has no error code: nothing failed. */
const whyEnded = (state: JobState, sentence: Sentence): Partial<Job> => {
  if (state !== 'Canceled') return {};
  const { message, said } = recordedAs(sentence);
  return { errorMessage: message, errorSaid: said };
};

/**
 * The fields of a change that the history tells of. A worker may have read its clock before the job was created, and
 * clocks of two workers differ: a history never goes back in time.
 */
export const withHistory = (
  { history, updatedAtMs }: Job,
  status: JobState,
  message: Sentence,
  nowMs: number,
): Pick<Job, 'history' | 'updatedAtMs'> => {
  const atMs = Math.max(nowMs, updatedAtMs);
  const id = (history.at(-1)?.id ?? 0) + 1;
  const entry = { id, timestamp: new Date(atMs).toISOString(), status, ...recordedAs(message) };
  return { updatedAtMs: atMs, history: [...history, entry] };
};
