import {
  BatchGetItemCommand,
  BatchWriteItemCommand,
  QueryCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { forEachConcurrently } from '../../async/for-each-concurrently.ts';
import { dynamo } from '../client.ts';
import { type Attributes, type Key, keyAttributes } from '../item.ts';
import type { Line } from '../lines/lines.ts';
import { retryWhileLocked } from '../retry-on-conflict.ts';
import { GATE_KEYS, logPartitions, ofSnapshot, randomGate, SnapshotLost } from './records.ts';

/** The record of one commit: its own key, and the keys that the commit wrote. */
export type Change = { readonly record: Key; readonly keys: readonly Key[] };

/** Records of commits that a snapshot has not read yet, about so many at most. */
export async function readChanges(
  table: string,
  snapshotId: string,
  { limit = Number.POSITIVE_INFINITY }: { readonly limit?: number } = {},
): Promise<Change[]> {
  const partitions = logPartitions(snapshotId);
  const ofEach = Math.ceil(limit / partitions.length);
  const found = await Promise.all(partitions.map((pk) => readPartition(table, pk, ofEach)));
  return found.flat();
}

async function readPartition(table: string, pk: string, limit: number): Promise<Change[]> {
  const changes: Change[] = [];
  let start: Attributes | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo().send(
      new QueryCommand({
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
        ExclusiveStartKey: start,
        ...(Number.isFinite(limit) && { Limit: limit - changes.length }),
      }),
    );
    changes.push(...Items.map(changeOf));
    start = LastEvaluatedKey;
  } while (start && changes.length < limit);
  return changes;
}

function changeOf({ pk, sk, keys }: Attributes): Change {
  const written = JSON.parse(keys?.S ?? '[]') as [string, string][];
  return {
    record: { pk: pk?.S ?? '', sk: sk?.S ?? '' },
    keys: written.map(([itemPk, itemSk]) => ({ pk: itemPk, sk: itemSk })),
  };
}

/** The commits that came through the gates so far. */
export async function countCommits(table: string): Promise<number> {
  const Keys = GATE_KEYS.map(keyAttributes);
  const { Responses } = await dynamo().send(new BatchGetItemCommand({ RequestItems: { [table]: { Keys } } }));
  return (Responses?.[table] ?? []).reduce((sum, { commits }) => sum + Number(commits?.N ?? 0), 0);
}

/** The distinct keys of some changes. */
export const keysOf = (changes: readonly Change[]): Key[] => [
  ...new Map(changes.flatMap(({ keys }) => keys).map((key) => [JSON.stringify(key), key])).values(),
];

const KEYS_PER_READ = 64;
const READS_AT_ONCE = 8;

export type ReadLines = {
  readonly lines: readonly Line[];
  /** Keys of items that commits write all the time: they were not read. */
  readonly busy: readonly Key[];
};

/**
 * The items of these keys as lines. They are read in transactions: DynamoDB refuses that while a commit writes an item,
 * where a plain read would answer with the item before the commit.
 */
export async function readLines(table: string, keys: readonly Key[]): Promise<ReadLines> {
  const lines: Line[] = [];
  const busy: Key[] = [];
  await forEachConcurrently(READS_AT_ONCE, chunksOf(keys, KEYS_PER_READ), (chunk) =>
    readInto({ lines, busy }, table, chunk),
  );
  return { lines, busy };
}

// Keys whose transaction is refused are read in halves: a commit writes one of them, or together they have more than the
// 4 MB that DynamoDB answers. A key that is alone waits for its commit.
async function readInto(
  found: { readonly lines: Line[]; readonly busy: Key[] },
  table: string,
  keys: readonly Key[],
): Promise<void> {
  const isAlone = keys.length === 1;
  const read = () => readTogether(table, keys);
  try {
    found.lines.push(...(await (isAlone ? retryWhileLocked(read) : read())));
  } catch (error) {
    const isLocked = error instanceof TransactionCanceledException;
    // Not by its class: the SDK has none for it, and an embedded store is no service.
    const isTooLarge = error instanceof Error && error.name === 'ValidationException';
    if (isAlone && isLocked) found.busy.push(...keys);
    else if (!isAlone && (isLocked || isTooLarge))
      for (const half of chunksOf(keys, Math.ceil(keys.length / 2))) await readInto(found, table, half);
    else throw error;
  }
}

async function readTogether(table: string, keys: readonly Key[]): Promise<Line[]> {
  const TransactItems = keys.map((key) => ({ Get: { TableName: table, Key: keyAttributes(key) } }));
  const { Responses } = await dynamo().send(new TransactGetItemsCommand({ TransactItems }));
  return keys.map((key, n) => lineFor(key, Responses?.[n]?.Item));
}

const lineFor = (key: Key, item: Attributes | undefined): Line => (item ? { put: item } : { delete: key });

const RECORDS_PER_TRANSACTION = 99;
const DRAINS_AT_ONCE = 4;

/**
 * Deletes records whose items are in the snapshot, and counts them at a gate: commits less drained records is how many
 * there are. Refused when another worker deletes them too; throws SnapshotLost when the snapshot has ended.
 */
export async function drainChanges(
  table: string,
  snapshotId: string,
  changes: readonly Change[],
): Promise<void> {
  await forEachConcurrently(DRAINS_AT_ONCE, chunksOf(changes, RECORDS_PER_TRANSACTION), async (chunk) => {
    const deletions = chunk.map(({ record }) => ({
      Delete: {
        TableName: table,
        Key: keyAttributes(record),
        ConditionExpression: 'attribute_exists(pk)',
      },
    }));
    // Another gate with every attempt: commits that meet at one hold it for some 10 ms.
    const drain = () =>
      dynamo().send(
        new TransactWriteItemsCommand({
          TransactItems: [...deletions, { Update: countDrained(table, snapshotId, chunk.length) }],
        }),
      );
    await retryWhileLocked(drain).catch((error: unknown) => {
      const reasons = error instanceof TransactionCanceledException ? error.CancellationReasons : [];
      throw reasons?.at(-1)?.Code === 'ConditionalCheckFailed' ? new SnapshotLost() : error;
    });
  });
}

const countDrained = (TableName: string, snapshotId: string, count: number) => {
  const { ConditionExpression, ExpressionAttributeValues } = ofSnapshot(snapshotId);
  return {
    TableName,
    Key: keyAttributes(randomGate()),
    UpdateExpression: 'ADD drained :count',
    ConditionExpression,
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':count': { N: String(count) } },
  };
};

// DynamoDB takes no more in one request.
const DELETED_PER_REQUEST = 25;
const DELETED_AT_ONCE = 200;

/** Deletes the records of a snapshot that has ended. Some may be left: they expire by themselves. */
export async function clearChanges(table: string, snapshotId: string): Promise<void> {
  for (;;) {
    const changes = await readChanges(table, snapshotId, { limit: DELETED_AT_ONCE });
    if (changes.length === 0) return;
    await forEachConcurrently(DRAINS_AT_ONCE, chunksOf(changes, DELETED_PER_REQUEST), async (chunk) => {
      const requests = chunk.map(({ record }) => ({ DeleteRequest: { Key: keyAttributes(record) } }));
      await dynamo().send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
    });
  }
}

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));
