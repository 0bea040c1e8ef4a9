import {
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { jitteredBackoff, retry } from '../async/retry.ts';
import { count } from '../metrics/count.ts';
import { isMetered } from '../metrics/table.ts';
import { currentTrace } from '../trace/trace.ts';
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
    isRetryable: (error) =>
      countConflict(error instanceof RaceLost || (mayCreate && error instanceof AlreadyExists)),
    pauseMs: PAUSES,
    deadlineAtMs,
  });

function countConflict(isConflict: boolean): boolean {
  const Service = currentTrace()?.service;
  if (isConflict && isMetered(Service)) count('Conflicts', { Service });
  return isConflict;
}

// Transactions that meet on an item are over in some 10 ms. Eight attempts with these pauses outlast a crowd of
// dozens and give up within about two seconds.
const MAX_LOCKED_ATTEMPTS = 8;
const LOCKED_PAUSES = jitteredBackoff(15);

/** Reasons that pass by themselves. A failed condition does not: another attempt could only fail again. */
export const TRANSIENT_REASONS: ReadonlySet<string> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

function isTransient(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  if (error instanceof ProvisionedThroughputExceededException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = error.CancellationReasons?.map(({ Code }) => Code ?? 'None') ?? [];
  return (
    codes.some((code) => TRANSIENT_REASONS.has(code)) &&
    codes.every((code) => code === 'None' || TRANSIENT_REASONS.has(code))
  );
}

/**
 * Sends a write again while a transaction of another writer has its item, or the table is throttled.
 * @example await retryWhileLocked(() => dynamo().send(new UpdateItemCommand(addition)));
 */
export const retryWhileLocked = <T>(send: () => Promise<T>): Promise<T> =>
  retry(send, {
    maxAttempts: MAX_LOCKED_ATTEMPTS,
    isRetryable: (error) => countConflict(isTransient(error)),
    pauseMs: LOCKED_PAUSES,
  });
