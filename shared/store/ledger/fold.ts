import { setTimeout as pause } from 'node:timers/promises';
import {
  BatchWriteItemCommand,
  TransactionCanceledException,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import { jitteredBackoff } from '../../async/retry.ts';
import { ifThrown } from '../../errors/expected.ts';
import { dynamo } from '../client.ts';
import { ITEMS_PER_TRANSACTION, sendOnce } from '../commit.ts';
import { type Attributes, type Key, keyAttributes, placeholders, toAttributes } from '../item.ts';
import type { CountsOf } from '../write.ts';
import { nodeKey, readNodes } from './nodes.ts';
import { HEAD, type Head, type LedgerRecord, parseShard, type ShardKey, shardQuery } from './shard.ts';
import { type CountTree, countTree, type TreeChanges } from './tree.ts';

// The head names the records of a fold: 500 names are 10 KB.
const MAX_RECORDS = 500;

// A fold may be killed anywhere, and two may meet:
//
//   fold 1  |--reads HEAD 7, a, b--|--HEAD 8 (folded: a, b)--| killed before it deletes a and b
//   fold 2  |--reads HEAD 7, a, b-----|--HEAD 8: refused, it stops
//   fold 3                                       |--reads HEAD 8, a, b, c--|--deletes a, b--|--HEAD 9 (folded: c)--deletes c
//
// A record is folded once, because the head must be of the generation that was read. A record that a head names does
// not count and is deleted before the next head forgets it.

/** Adds the records of a shard to its counts and deletes them. Stops where another fold is at work. */
export async function foldShard(key: ShardKey, countsOf: CountsOf): Promise<void> {
  for (;;) {
    const { Items = [], LastEvaluatedKey } = await dynamo().send(shardQuery(key, {}));
    const { head, records, folded } = parseShard(key, Items);
    // Of a shard that was not read to its end, any record of the last fold may be left.
    await deleteRecords(key, LastEvaluatedKey ? [...head.folded] : folded);
    if (!(await foldRecords(key, head, records, countsOf))) return;
    if (!LastEvaluatedKey) return;
  }
}

/** Adds records in as few transactions as can hold them. False when another fold was faster, or is at it. */
async function foldRecords(
  key: ShardKey,
  { content, ...head }: Head,
  records: readonly LedgerRecord[],
  countsOf: CountsOf,
): Promise<boolean> {
  const tree = countTree(countsOf, (nodes) => readNodes(key, nodes));
  await tree.load(content, new Set(records.flatMap(({ amounts }) => Object.keys(amounts))));
  let { generation } = head;
  const left = [...records];
  while (left.length > 0) {
    const folded = addSome(tree, left);
    const changes = tree.takeChanges(ITEMS_PER_TRANSACTION);
    if (!(await writeFold(key, generation, folded, changes))) return false;
    generation += 1;
    await deleteRecords(key, folded);
  }
  return true;
}

/** Takes the next records that a transaction and a head can hold, and adds them. Answers their names. */
function addSome(tree: CountTree, records: LedgerRecord[]): string[] {
  const names: string[] = [];
  for (let next = records[0]; next && names.length < MAX_RECORDS; next = records[0]) {
    if (names.length > 0 && tree.sizeWith(Object.keys(next.amounts)) > ITEMS_PER_TRANSACTION) break;
    for (const [name, amount] of Object.entries(next.amounts)) tree.add(name, amount);
    names.push(next.sk);
    records.shift();
  }
  return names;
}

/** Writes the changes in one transaction. False when another fold was faster, or is at it. */
async function writeFold(
  key: ShardKey,
  generation: number,
  folded: readonly string[],
  { written, gone }: TreeChanges,
): Promise<boolean> {
  const next = generation + 1;
  const nodes = [...written].filter(([node]) => node !== '');
  const put = (place: Key, item: object) => ({
    TableName: key.table,
    Item: toAttributes({ ...place, ...item }),
  });
  const expression = placeholders();
  const ConditionExpression =
    generation === 0 ? 'attribute_not_exists(pk)' : expression.condition({ generation });
  const head = {
    generation: next,
    folded,
    nodes: nodes.map(([node]) => node),
    ...written.get(''),
  };
  const items: TransactWriteItem[] = [
    { Put: { ...put({ pk: key.pk, sk: HEAD }, head), ConditionExpression, ...expression.bound() } },
    ...nodes.map(([node, stored]) => ({ Put: put(nodeKey(key, node), { ...stored, generation: next }) })),
    ...gone.map((node) => ({ Delete: { TableName: key.table, Key: keyAttributes(nodeKey(key, node)) } })),
  ];
  return sendOnce(
    items.map((item) => ({ item })),
    { isTransaction: true },
  ).then(() => true, ifThrown(TransactionCanceledException, false));
}

// DynamoDB takes no more in one request.
const DELETED_PER_REQUEST = 25;

// About a second in all. Records that are left do not count, and the next fold deletes them.
const MAX_ATTEMPTS = 6;
const PAUSES = jitteredBackoff(20);

/** Deletes records, whether or not they still exist. */
async function deleteRecords({ table, pk }: ShardKey, names: readonly string[]): Promise<void> {
  const keys = names.map((sk) => keyAttributes({ pk, sk }));
  const parts = Array.from({ length: Math.ceil(keys.length / DELETED_PER_REQUEST) }, (_, n) =>
    keys.slice(n * DELETED_PER_REQUEST, (n + 1) * DELETED_PER_REQUEST),
  );
  await Promise.all(parts.map((part) => deletePart(table, part)));
}

async function deletePart(table: string, keys: readonly Attributes[]): Promise<void> {
  type Requests = { DeleteRequest: { Key: Attributes } }[];
  let left: Requests | undefined = keys.map((Key) => ({ DeleteRequest: { Key } }));
  for (let attempt = 1; left && left.length > 0; attempt++) {
    if (attempt > MAX_ATTEMPTS) throw new Error(`${table} is throttled: ${left.length} records are left.`);
    if (attempt > 1) await pause(PAUSES(attempt));
    const deletion = new BatchWriteItemCommand({ RequestItems: { [table]: left } });
    left = (await dynamo().send(deletion)).UnprocessedItems?.[table] as Requests | undefined;
  }
}
