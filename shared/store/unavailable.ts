/** What the clients of AWS call a store, a bucket or a queue that does not answer now and will later. */
const PASSING_NAMES: ReadonlySet<string> = new Set([
  'TimeoutError',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
  'TransactionConflictException',
  'TransactionInProgressException',
]);
const PASSING_REASONS: ReadonlySet<string | undefined> = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);
const NETWORK = /^(E[A-Z]+|UND_ERR_\w+)$/;

type AwsError = Error & {
  readonly $metadata: { readonly httpStatusCode?: number };
  readonly code?: unknown;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
};

// Every error of an AWS client carries this, one of the network included: nobody else's do.
const isAwsError = (error: unknown): error is AwsError => error instanceof Error && '$metadata' in error;

/**
 * Whether a call failed because a store was slow, throttled or out of reach, after all its tries. What it would have
 * done may have been done.
 * @example if (isStoreUnavailable(error)) throw new Problem('unavailable');
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (!isAwsError(error)) return false;
  const { httpStatusCode = 0 } = error.$metadata;
  return (
    PASSING_NAMES.has(error.name) ||
    httpStatusCode >= 500 ||
    (typeof error.code === 'string' && NETWORK.test(error.code)) ||
    (error.CancellationReasons?.some(({ Code }) => PASSING_REASONS.has(Code)) ?? false)
  );
}
