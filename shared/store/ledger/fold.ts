import { setTimeout as pause } from 'node:timers/promises';
import { BatchWriteItemCommand, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { jitteredBackoff } from '../../async/retry.ts';
import { ifThrown } from '../../errors/expected.ts';
import { dynamo } from '../client.ts';
import { ITEMS_PER_TRANSACTION, sendOnce } from '../commit.ts';
import { type Attributes, keyAttributes, placeholders } from '../item.ts';
import { nodeKey } from './nodes.ts';
import { type CountsOf, HEAD, type LedgerRecord, parseShard, type ShardKey, shardQuery } from './shard.ts';

/** The sums of several records, by node and field. */
type Sums = Map<string, Map<string, number>>;

// The head names the records of a fold: 500 names are 10 KB.
const MAX_RECORDS = 500;
// The head is one of the items.
const MAX_NODES = ITEMS_PER_TRANSACTION - 1;
// DynamoDB takes 300 operators in an expression.
const MAX_FIELDS_PER_NODE = 140;

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
    let { generation } = head;
    for (const part of partsOf(records, countsOf)) {
      if (!(await foldRecords(key, generation, part))) return;
      generation += 1;
      await deleteRecords(key, part.names);
    }
    if (!LastEvaluatedKey) return;
  }
}

type Part = { readonly names: string[]; readonly sums: Sums };

/** The records in parts, each of which a transaction and a head can hold. */
function partsOf(records: readonly LedgerRecord[], countsOf: CountsOf): Part[] {
  const parts: Part[] = [];
  for (const { sk, amounts } of records) {
    const places = Object.entries(amounts).flatMap(([name, amount]) =>
      countsOf(name).map((place) => ({ ...place, amount })),
    );
    let part = parts.at(-1);
    if (!part || !hasRoom(part, places)) {
      part = { names: [], sums: new Map() };
      parts.push(part);
    }
    part.names.push(sk);
    for (const { node, field, amount } of places) {
      const sums = part.sums.get(node) ?? new Map();
      part.sums.set(node, sums.set(field, (sums.get(field) ?? 0) + amount));
    }
  }
  return parts;
}

function hasRoom({ names, sums }: Part, places: readonly { readonly node: string }[]): boolean {
  const nodes = new Set([...sums.keys(), ...places.map(({ node }) => node)]);
  const mostFields = Math.max(0, ...[...sums.values()].map(({ size }) => size));
  return (
    names.length < MAX_RECORDS && nodes.size <= MAX_NODES && mostFields + places.length <= MAX_FIELDS_PER_NODE
  );
}

/** Adds the sums in one transaction. False when another fold was faster, or is at it. */
async function foldRecords(key: ShardKey, generation: number, { names, sums }: Part): Promise<boolean> {
  const written = [...sums].filter(([node, fields]) => node !== '' && changes(fields).length > 0);
  const next = generation + 1;
  const updates = [
    headUpdate(key, generation, sums.get('') ?? new Map(), {
      generation: next,
      folded: names,
      nodes: written.map(([node]) => node),
    }),
    ...written.map(([node, fields]) => nodeUpdate(key, node, fields, next)),
  ];
  return sendOnce(
    updates.map((item) => ({ item })),
    { isTransaction: true },
  ).then(() => true, ifThrown(TransactionCanceledException, false));
}

const changes = (fields: ReadonlyMap<string, number>) => [...fields].filter(([, amount]) => amount !== 0);

type Fold = {
  readonly generation: number;
  readonly folded: readonly string[];
  readonly nodes: readonly string[];
};

function headUpdate(key: ShardKey, generation: number, fields: ReadonlyMap<string, number>, fold: Fold) {
  const expression = placeholders();
  return {
    Update: {
      TableName: key.table,
      Key: keyAttributes({ pk: key.pk, sk: HEAD }),
      ConditionExpression:
        generation === 0 ? 'attribute_not_exists(pk)' : expression.condition({ generation }),
      UpdateExpression: updateOf(expression, fields, fold),
      ...expression.bound(),
    },
  };
}

function nodeUpdate(key: ShardKey, node: string, fields: ReadonlyMap<string, number>, generation: number) {
  const expression = placeholders();
  return {
    Update: {
      TableName: key.table,
      Key: keyAttributes(nodeKey(key, node)),
      UpdateExpression: updateOf(expression, fields, { generation }),
      ...expression.bound(),
    },
  };
}

function updateOf(
  expression: ReturnType<typeof placeholders>,
  fields: ReadonlyMap<string, number>,
  set: object,
): string {
  const additions = changes(fields).map(
    ([field, amount]) => `${expression.name(field)} ${expression.value(amount)}`,
  );
  return [expression.update(set), ...(additions.length > 0 ? [`ADD ${additions.join(', ')}`] : [])].join(' ');
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
