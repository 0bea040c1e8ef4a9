import type { Write } from '../../../../../shared/store/write.ts';
import { jobAsOf } from './as-of.ts';
import type { Job } from './job.ts';

/** For an action on a job that is one of many. */
export type ActOptions = {
  /** Judges the job as the action reads it; the commit expects that version. NotChosen is thrown where it is false. */
  readonly onlyIf?: ((job: Job) => boolean) | undefined;
  /** Further writes of the commit. */
  readonly also?: readonly Write[] | undefined;
};

/** The job is not, or no longer, one that the action was meant for. */
export class NotChosen extends Error {
  override readonly name = 'NotChosen';
}

export function requireStill(job: Job, onlyIf: ActOptions['onlyIf'], nowMs: number): void {
  if (onlyIf && !onlyIf(jobAsOf(job, nowMs))) throw new NotChosen(`The job ${job.id} has changed.`);
}
