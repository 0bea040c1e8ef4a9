import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  ProvisionedThroughputExceededException,
  PutItemCommand,
  TransactionCanceledException,
  TransactionConflictException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { jitteredBackoff, retry } from '../async/retry.ts';
import { dynamo } from './client.ts';
import { AlreadyExists, RaceLost } from './refusals.ts';
import { type ItemWrite, onePerItem, type Write } from './write.ts';

// DynamoDB takes no more in one transaction.
const ITEMS_PER_TRANSACTION = 100;

// Transactions that meet on an item are over in some 10 ms. Eight attempts with these pauses outlast a crowd of
// dozens and give up within about two seconds.
const MAX_ATTEMPTS = 8;
const PAUSES = jitteredBackoff(15);

/**
 * Sends the writes, all or nothing. A single write goes as a plain conditional write, at half the price. `afterCommit`
 * of each write runs before this returns, because a function's process may be frozen right after its answer.
 * @example await commit([jobs.changing(job, { state: 'Done' }), ...finished.changing(undefined, entryOf(job))]);
 */
export async function commit(writes: readonly Write[]): Promise<void> {
  const items = onePerItem(writes);
  const [first, ...others] = items;
  if (!first) return;
  if (items.length > ITEMS_PER_TRANSACTION) {
    throw new Error(
      `One change may write ${ITEMS_PER_TRANSACTION} items; this one has ${items.length}. Split it into several.`,
    );
  }
  const isSingle = others.length === 0 && !first.item.ConditionCheck;
  try {
    await retryWhileLocked(() => (isSingle ? sendSingle(first) : sendTransaction(items)));
  } catch (error) {
    throw raceLostIn(items, error) ?? error;
  }
  await Promise.all(items.map(({ afterCommit }) => afterCommit?.()));
}

// A crowd of transactions on one item may outlast the attempts. By then the item has changed many times, and another attempt
// with the version that was read could only fail: the caller reads it again.
function raceLostIn(writes: readonly ItemWrite[], error: unknown): RaceLost | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  const refusals = writes
    .filter((_, i) => error.CancellationReasons?.[i]?.Code === 'TransactionConflict')
    .map(({ refusal }) => refusal?.());
  return refusals.find((refusal) => refusal instanceof RaceLost);
}

/**
 * Whether DynamoDB refused a commit, and nothing was written: another writer was faster, or a partition is throttled. Its
 * writes may still succeed by themselves. After other failures nobody knows.
 * @example if (isRefused(error)) await commit([entries.creating(entry)]);
 */
export const isRefused = (error: unknown): boolean =>
  error instanceof RaceLost ||
  error instanceof AlreadyExists ||
  error instanceof TransactionCanceledException;

/**
 * Whether one commit can hold these writes: DynamoDB takes 100 items in a transaction.
 * @example if (fitsOneCommit(writes)) await commit(writes);
 */
export const fitsOneCommit = (writes: readonly Write[]): boolean =>
  onePerItem(writes).length <= ITEMS_PER_TRANSACTION;

async function sendSingle(write: ItemWrite): Promise<void> {
  const { item } = write;
  try {
    if (item.Put) await dynamo().send(new PutItemCommand(item.Put));
    if (item.Update) await dynamo().send(new UpdateItemCommand(item.Update));
    if (item.Delete) await dynamo().send(new DeleteItemCommand(item.Delete));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const isRepeat = (error.$metadata.attempts ?? 1) > 1;
    if (isRepeat && (await hasLanded(write))) return;
    throw write.refusal?.() ?? error;
  }
}

// A writer must not lose a race against its own repeat:
//
//   writer    |--a to b----- no answer ----a to b, again----- refused --|--reads b: the first write has landed
//   DynamoDB       a is b                       a expected, b found
//
// A transaction carries a token against this; a plain write has only the version that it leaves.
async function hasLanded({ item: { Put, Update, Delete }, leaves }: ItemWrite): Promise<boolean> {
  const { pk, sk } = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {};
  if (!pk || !sk) return false;
  const TableName = (Put ?? Update ?? Delete)?.TableName;
  const { Item } = await dynamo().send(
    new GetItemCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }),
  );
  return Delete ? Item === undefined : leaves !== undefined && Item?.version?.S === leaves;
}

async function sendTransaction(writes: readonly ItemWrite[]): Promise<void> {
  try {
    await dynamo().send(new TransactWriteItemsCommand({ TransactItems: writes.map(({ item }) => item) }));
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const refused = writes.find((_, i) => error.CancellationReasons?.[i]?.Code === 'ConditionalCheckFailed');
    throw refused?.refusal?.() ?? error;
  }
}

// Reasons that pass by themselves. A failed condition does not: another attempt could only fail again.
const TRANSIENT = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

function isTransient(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  if (error instanceof ProvisionedThroughputExceededException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = error.CancellationReasons?.map(({ Code }) => Code ?? 'None') ?? [];
  return (
    codes.some((code) => TRANSIENT.has(code)) && codes.every((code) => code === 'None' || TRANSIENT.has(code))
  );
}

/**
 * Sends a write again while a transaction of another writer has its item, or the table is throttled.
 * @example await retryWhileLocked(() => dynamo().send(new UpdateItemCommand(addition)));
 */
export const retryWhileLocked = <T>(send: () => Promise<T>): Promise<T> =>
  retry(send, { maxAttempts: MAX_ATTEMPTS, isRetryable: isTransient, pauseMs: PAUSES });
