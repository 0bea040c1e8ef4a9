import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  GetItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamo, type RequestOptions } from '../client.ts';
import { type Key, keyAttributes, toAttributes } from '../item.ts';
import { retryWhileLocked, TRANSIENT_REASONS } from '../retry-on-conflict.ts';
import { GATE_KEYS, logPartitions, MODE_KEY, ofSnapshot, randomGate } from './records.ts';

/** The items that a gated transaction has beside the writes of its commit. */
export const GATE_ITEMS = 2;

// Transactions that meet on a gate are over in some 10 ms, and the next one meets others or none.
const MAX_CONFLICTS = 40;
const MAX_CONFLICT_PAUSE_MS = 10;

/** Gates are closed for a fraction of a second. Longer means that whoever closed them is gone. */
const MAX_CLOSED_MS = 5_000;
const CLOSED_PAUSE_MS = 25;

// Longer than a snapshot takes. Records of one that failed are deleted by its owner, or by this.
const KEPT_SECONDS = 7 * 86_400;

// A worker that closed the gates is gone, or slow:
//
//   worker    |--closes all gates------ stalls ----------------------------- opens them: one is gone, it fails
//   writer 1     |--waits five seconds--|--deletes the gates--|--deletes the mode--|--writes without a gate
//   writer 2        |--waits-------------- finds no gate, and the mode: waits ------|--finds no mode: writes without
//
// Nobody writes without a gate before all of them are gone. So the worker notices, whatever it has read since.

type GateOptions = {
  readonly hasEnded: () => Promise<boolean>;
  readonly request: RequestOptions;
};

/**
 * Sends the writes of one commit in a transaction with a gate of the snapshot. False when the snapshot has ended: nothing
 * was written. Throws as a transaction of the writes alone does; its reasons begin with those of the writes.
 */
export async function sendThroughGate(
  table: string,
  snapshotId: string,
  writes: readonly TransactWriteItem[],
  { hasEnded, request }: GateOptions,
): Promise<boolean> {
  let waitsSinceMs: number | undefined;
  for (let conflicts = 0; ; ) {
    const meeting = await attempt(table, snapshotId, writes, request);
    if (meeting === 'sent') return true;
    if (meeting === 'conflict') {
      conflicts += 1;
      if (conflicts > MAX_CONFLICTS)
        throw new Error(`${table} has too many writers for the gates of its snapshot.`);
      await pause(Math.random() * MAX_CONFLICT_PAUSE_MS);
      continue;
    }
    if (meeting === 'gone' && (await hasEnded())) return false;
    waitsSinceMs ??= Date.now();
    await waitWhileClosed(table, snapshotId, waitsSinceMs + MAX_CLOSED_MS);
  }
}

// The gate is read and not tried: a transaction that is refused holds its items for a moment too, and the snapshot wants
// to read them.
async function waitWhileClosed(table: string, snapshotId: string, untilMs: number): Promise<void> {
  do {
    await pause(CLOSED_PAUSE_MS * (0.5 + Math.random()));
    if (Date.now() > untilMs) return breakSnapshot(table, snapshotId);
  } while (await isClosed(table, snapshotId));
}

async function isClosed(TableName: string, snapshotId: string): Promise<boolean> {
  const Key = keyAttributes(randomGate());
  const { Item } = await dynamo().send(new GetItemCommand({ TableName, Key, ConsistentRead: true }));
  return Item?.snapshotId?.S === snapshotId && Item.isOpen?.BOOL === false;
}

type Meeting = 'sent' | 'conflict' | 'closed' | 'gone';

async function attempt(
  table: string,
  snapshotId: string,
  writes: readonly TransactWriteItem[],
  request: RequestOptions,
): Promise<Meeting> {
  const TransactItems = [...writes, passing(table, snapshotId), logging(table, snapshotId, writes)];
  try {
    await dynamo().send(new TransactWriteItemsCommand({ TransactItems }), request);
    return 'sent';
  } catch (error) {
    if (!(error instanceof TransactionCanceledException)) throw error;
    const reasons = error.CancellationReasons ?? [];
    const own = reasons.slice(0, writes.length).map(({ Code = 'None' }) => Code);
    // A condition of the commit itself was judged together with the gate, so its refusal stands.
    if (own.some((code) => code !== 'None' && !TRANSIENT_REASONS.has(code))) throw error;
    const { Code, Item } = reasons[writes.length] ?? {};
    if (Code === 'ConditionalCheckFailed') return Item?.snapshotId?.S === snapshotId ? 'closed' : 'gone';
    if (Code === 'TransactionConflict' && own.every((code) => code === 'None')) return 'conflict';
    throw error;
  }
}

const isOpenForThis = 'snapshotId = :id AND isOpen = :yes';

const passing = (TableName: string, snapshotId: string): TransactWriteItem => ({
  Update: {
    TableName,
    Key: keyAttributes(randomGate()),
    UpdateExpression: 'ADD commits :one',
    ConditionExpression: isOpenForThis,
    ExpressionAttributeValues: { ':id': { S: snapshotId }, ':yes': { BOOL: true }, ':one': { N: '1' } },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  },
});

function logging(
  TableName: string,
  snapshotId: string,
  writes: readonly TransactWriteItem[],
): TransactWriteItem {
  const partitions = logPartitions(snapshotId);
  const Item = toAttributes({
    pk: partitions[Math.floor(Math.random() * partitions.length)],
    sk: randomBytes(12).toString('base64url'),
    keys: JSON.stringify(writes.flatMap(keysOf)),
    ttl: Math.floor(Date.now() / 1_000) + KEPT_SECONDS,
  });
  return { Put: { TableName, Item } };
}

const keysOf = ({ Put, Update, Delete }: TransactWriteItem): (readonly [string, string])[] => {
  const { pk, sk } = Put?.Item ?? Update?.Key ?? Delete?.Key ?? {};
  return pk?.S === undefined || sk?.S === undefined ? [] : [[pk.S, sk.S]];
};

/** Ends a snapshot whose owner is done with it: those who know of it still find gates, or learn that it has ended. */
export async function removeSnapshot(table: string, snapshotId: string): Promise<void> {
  await remove(table, MODE_KEY, snapshotId);
  await Promise.all(GATE_KEYS.map((key) => remove(table, key, snapshotId)));
}

/** Ends a snapshot whose owner does not answer. The gates go first: see above. */
async function breakSnapshot(table: string, snapshotId: string): Promise<void> {
  await Promise.all(GATE_KEYS.map((key) => remove(table, key, snapshotId)));
  await remove(table, MODE_KEY, snapshotId);
}

async function remove(TableName: string, key: Key, snapshotId: string): Promise<void> {
  const deletion = { TableName, Key: keyAttributes(key), ...ofSnapshot(snapshotId) };
  try {
    await retryWhileLocked(() => dynamo().send(new DeleteItemCommand(deletion)));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
}
