import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';

// Blank lines are no degrees, but each costs a little: a file of nothing else would cost much.
const BLANK_LINES_FACTOR = 2;

type Counted = {
  /** Lines that are not blank. */
  readonly lines: number;
  /** Of the line that was read last. */
  readonly number: number;
};

/** Refuses with TooManyLines what a batch does not take. */
export function refuseManyLines({ lines, number }: Counted): void {
  const limit = settings.MaxDegreesInBatch;
  if (lines > limit || number > BLANK_LINES_FACTOR * limit) throw errors.refuse('TooManyLines', { limit });
}
