import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { findStoreProblem } from '../embedded/provided.ts';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';

// Errors of the AWS clients for a table, bucket or queue that does not answer now and will later.
const TRANSIENT_NAMES: ReadonlySet<string> = new Set([
  'TimeoutError',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'SlowDown',
  'TransactionConflictException',
  'TransactionInProgressException',
]);
const TRANSIENT_REASONS: ReadonlySet<string | undefined> = new Set([
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

// Only errors of AWS clients carry this, network errors included.
const isAwsError = (error: unknown): error is AwsError => error instanceof Error && '$metadata' in error;

/**
 * Whether a call failed because a store was slow, throttled or out of reach, after all attempts. The write may have
 * happened.
 * @example if (isStoreUnavailable(error)) throw new Problem('unavailable');
 */
export function isStoreUnavailable(error: unknown): boolean {
  if (!isAwsError(error)) return false;
  const { httpStatusCode = 0 } = error.$metadata;
  return (
    TRANSIENT_NAMES.has(error.name) ||
    httpStatusCode >= 500 ||
    (typeof error.code === 'string' && NETWORK.test(error.code)) ||
    (error.CancellationReasons?.some(({ Code }) => TRANSIENT_REASONS.has(Code)) ?? false)
  );
}

/**
 * Whether the service's table answers, and takes writes where its store is in this process; with the reason if not.
 * @example const { ok, detail } = await checkReachable('batch');
 */
export async function checkReachable(service: ServiceName): Promise<{ ok: boolean; detail: string }> {
  const key = { pk: { S: 'READINESS' }, sk: { S: 'PROBE' } };
  try {
    await dynamo().send(new GetItemCommand({ TableName: tableName(service), Key: key }));
    const problem = await findStoreProblem();
    if (problem) return { ok: false, detail: problem };
    return { ok: true, detail: 'The operational store answers.' };
  } catch (error) {
    return { ok: false, detail: `The operational store does not answer: ${(error as Error).name}.` };
  }
}

/**
 * The services whose table does not answer now.
 * @example const unreachable = await findUnreachable(['batch', 'compact']);
 */
export async function findUnreachable(services: readonly ServiceName[]): Promise<ServiceName[]> {
  const found = await Promise.all(services.map(checkReachable));
  return services.filter((_, index) => !found[index]?.ok);
}
