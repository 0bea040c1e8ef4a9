import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamo, type RequestOptions } from './client.ts';
import { AlreadyExists, RaceLost } from './refusals.ts';
import { retryWhileLocked } from './retry-on-conflict.ts';
import { type ItemWrite, onePerItem, type Write } from './write.ts';

/** DynamoDB takes no more in one transaction. */
export const ITEMS_PER_TRANSACTION = 100;

/**
 * Sends the writes, all or nothing. A single write goes as a plain conditional write, at half the price. `afterCommit`
 * of each write runs before this returns, because a function's process may be frozen right after its answer.
 * @example await commit([jobs.changing(job, { state: 'Done' }), ...finished.changing(undefined, entryOf(job))]);
 */
export async function commit(writes: readonly Write[]): Promise<void> {
  await followUp(await commitAlone(writes));
}

/** The first half of `commit`. The result is for `followUp`, which the writer still has to wait for. */
export async function commitAlone(writes: readonly Write[]): Promise<ItemWrite[]> {
  const items = onePerItem(writes);
  if (items.length === 0) return items;
  if (items.length > ITEMS_PER_TRANSACTION) {
    throw new Error(
      `One change may write ${ITEMS_PER_TRANSACTION} items; this one has ${items.length}. Split it into several.`,
    );
  }
  try {
    await retryWhileLocked(() => sendOnce(items));
    return items;
  } catch (error) {
    throw raceLostIn(items, error) ?? error;
  }
}

/** Runs `afterCommit` of writes that are committed, once for all that have the same. */
export async function followUp(writes: readonly ItemWrite[]): Promise<void> {
  const followUps = Map.groupBy(writes, ({ afterCommit }) => afterCommit);
  await Promise.all([...followUps].map(([afterCommit, group]) => afterCommit?.(group)));
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

type SendOptions = RequestOptions & {
  /** A single write goes as a transaction too. */
  readonly isTransaction?: boolean;
};

/**
 * Sends writes once, as a commit does: no other attempt where a transaction of another writer has an item. For writers
 * that would rather leave the item to that one. Throws the refusal of the write whose condition failed; a write without
 * one has the error of DynamoDB.
 * @example await sendOnce([{ item: { Update: claim }, refusal: () => new RaceLost('Claimed by another.') }]);
 */
export async function sendOnce(
  writes: readonly ItemWrite[],
  { isTransaction, ...given }: SendOptions = {},
): Promise<void> {
  const [first, ...others] = writes;
  if (!first) return;
  // A call with options, even with none, has the SDK resolve its middlewares anew, and forget those of all commands.
  const request = Object.keys(given).length > 0 ? given : undefined;
  const isSingle = others.length === 0 && !first.item.ConditionCheck && !isTransaction;
  try {
    await (isSingle ? sendSingle(first, request) : sendTransaction(writes, request));
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const refused = writes.find((_, i) => error.CancellationReasons?.[i]?.Code === 'ConditionalCheckFailed');
    throw refused?.refusal?.() ?? error;
  }
}

async function sendSingle(write: ItemWrite, request: RequestOptions | undefined): Promise<void> {
  const { item } = write;
  try {
    if (item.Put) await dynamo().send(new PutItemCommand(item.Put), request);
    if (item.Update) await dynamo().send(new UpdateItemCommand(item.Update), request);
    if (item.Delete) await dynamo().send(new DeleteItemCommand(item.Delete), request);
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

async function sendTransaction(
  writes: readonly ItemWrite[],
  request: RequestOptions | undefined,
): Promise<void> {
  await dynamo().send(
    new TransactWriteItemsCommand({ TransactItems: writes.map(({ item }) => item) }),
    request,
  );
}
