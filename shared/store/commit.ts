import { setTimeout as pause } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  TransactionCanceledException,
  TransactionConflictException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamo } from './client.ts';
import { type ItemWrite, onePerItem, type Write } from './write.ts';

// DynamoDB takes no more in one transaction.
const ITEMS_PER_TRANSACTION = 100;

// Transactions that meet on an item are over in some 10 ms. With jittered doubling from this on,
// eight tries outlast a crowd of dozens and give up within about two seconds.
const CONFLICT_TRIES = 8;
const FIRST_BACKOFF_MS = 15;

/**
 * Sends the writes, all or nothing. One alone goes as a plain conditional write, at half the price.
 * @example await commit([jobs.changing(job, { state: 'Done' }), ...finished.adding(job.id, now())]);
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
  const alone = others.length === 0 && !first.item.ConditionCheck;
  await retryConflicts(() => (alone ? sendAlone(first) : sendTogether(items)));
}

async function sendAlone(write: ItemWrite): Promise<void> {
  const { item } = write;
  try {
    if (item.Put) await dynamo().send(new PutItemCommand(item.Put));
    if (item.Update) await dynamo().send(new UpdateItemCommand(item.Update));
    if (item.Delete) await dynamo().send(new DeleteItemCommand(item.Delete));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const repeated = (error.$metadata.attempts ?? 1) > 1;
    if (repeated && (await hasLanded(write))) return;
    throw write.refusal?.() ?? error;
  }
}

// A writer must not be told that it lost a race against itself:
//
//   writer    |--a to b----- no answer ----a to b, again----- refused --|--look: it is b, so it is written
//   DynamoDB       a is b                       a expected, b found
//
// A transaction carries a token against this; a plain write has only the version it leaves.
async function hasLanded({ item: { Put, Update, Delete }, leaves }: ItemWrite): Promise<boolean> {
  const { pk, sk } = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {};
  if (!pk || !sk) return false;
  const TableName = (Put ?? Update ?? Delete)?.TableName;
  const { Item } = await dynamo().send(
    new GetItemCommand({ TableName, Key: { pk, sk }, ConsistentRead: true }),
  );
  return Delete ? Item === undefined : leaves !== undefined && Item?.version?.S === leaves;
}

async function sendTogether(writes: readonly ItemWrite[]): Promise<void> {
  try {
    await dynamo().send(new TransactWriteItemsCommand({ TransactItems: writes.map(({ item }) => item) }));
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const refused = writes.find((_, i) => error.CancellationReasons?.[i]?.Code === 'ConditionalCheckFailed');
    throw refused?.refusal?.() ?? error;
  }
}

// What passes by itself. A condition that failed does not: trying again could only fail again.
const PASSING = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

function passes(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  if (!(error instanceof TransactionCanceledException)) return false;
  const codes = error.CancellationReasons?.map(({ Code }) => Code ?? 'None') ?? [];
  return (
    codes.some((code) => PASSING.has(code)) && codes.every((code) => code === 'None' || PASSING.has(code))
  );
}

/** Sends again, a little later each time, while a transaction has the item. */
export async function retryConflicts<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await send();
    } catch (error) {
      if (tries >= CONFLICT_TRIES || !passes(error)) throw error;
      await pause(Math.random() * FIRST_BACKOFF_MS * 2 ** tries);
    }
  }
}
