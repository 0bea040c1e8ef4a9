import { jitteredBackoff, retry } from '../async/retry.ts';
import { AlreadyExists, RaceLost } from './refusals.ts';

// Each round one writer of a crowd wins. With pauses that grow to about half a second, and differ, fifty writers of
// one moment are through in some ten seconds; without pauses they meet again and again.
const MAX_ATTEMPTS = 40;
const PAUSES = jitteredBackoff(10, 6);

export type ConflictOptions = {
  /** The decision may create the item: then AlreadyExists means that another writer created it first. */
  readonly mayCreate?: boolean;
  /** RaceLost is thrown when the conflict lasts until this time. */
  readonly deadlineAtMs?: number | undefined;
};

/**
 * Reads, decides and writes again when another writer was faster. The caller sees a conflict only in the decision that
 * follows from it. `decide` must read what it decides on.
 * @example return retryOnConflict(async () => cancel(await findDocument(id, caller), reason));
 */
export const retryOnConflict = <T>(
  decide: () => Promise<T>,
  { mayCreate = false, deadlineAtMs }: ConflictOptions = {},
): Promise<T> =>
  retry(decide, {
    maxAttempts: MAX_ATTEMPTS,
    isRetryable: (error) => error instanceof RaceLost || (mayCreate && error instanceof AlreadyExists),
    pauseMs: PAUSES,
    deadlineAtMs,
  });
