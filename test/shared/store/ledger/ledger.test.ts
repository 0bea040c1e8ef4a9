import { PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { tableName } from '../../../../shared/settings/names.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { type Attributes, toAttributes } from '../../../../shared/store/item.ts';
import { type LedgerOptions, ledger } from '../../../../shared/store/ledger/ledger.ts';
import { logOf } from '../../http/log-of.ts';
import { requestsOf } from '../requests.ts';
import { interrupt, interruptNth, killNextFold } from './interrupt.ts';

// The amount a.b is counted in the field a of the head, and in the field b of the node a.
const countsOf = (name: string) => {
  const [a = '', b] = name.split('.');
  return [{ node: '', field: a, name: a }, ...(b === undefined ? [] : [{ node: `${a}.`, field: b, name }])];
};

// The same without the count in the head. The first node of a path always has an item.
const countsInNodes = (name: string) => countsOf(name).slice(1);

// So many that their node has an item.
const MANY = Object.fromEntries(Array.from({ length: 150 }, (_, n) => [`a.${n}`, 1]));

function freshLedger(options: Partial<LedgerOptions> = {}) {
  const name = crypto.randomUUID();
  const never = () => 0.9;
  const counts = ledger({ service: 'sandbox', name, shards: 2, countsOf, random: never, ...options });
  const add = (amounts: Record<string, number>, shard = 0) => commit([counts.adding(amounts, shard)]);
  const read = (node: string) =>
    counts.read(async (readNode) =>
      Object.fromEntries(await readNode(...(node === '' ? [''] : ['', `${node}.`]))),
    );
  const readAlone = (node: string) =>
    counts.read(async (readNode) => Object.fromEntries(await readNode(`${node}.`)));
  const rows = (shard = 0) => rowsOf(`LEDGER#${name}#${shard}`);
  return { ...counts, readCounts: counts.read, name, add, read, readAlone, rows };
}

async function rowsOf(pk: string): Promise<Attributes[]> {
  const { Items = [] } = await dynamo().send(
    new QueryCommand({
      TableName: tableName('sandbox'),
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
    }),
  );
  return Items;
}

const put = (item: object) =>
  dynamo().send(new PutItemCommand({ TableName: tableName('sandbox'), Item: toAttributes(item) }));

/** Queries answer so many items at once, as they do at the end of 1 MB. */
function answerInPagesOf(Limit: number): () => void {
  const name = `pages-${crypto.randomUUID()}`;
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        next(commandName === 'QueryCommand' ? { ...args, input: { ...args.input, Limit } } : args),
    { step: 'initialize', name },
  );
  return () => dynamo().middlewareStack.remove(name);
}

describe('the counts of a ledger', () => {
  test('are exact before a fold, after it, and between two', async () => {
    const { add, read, fold } = freshLedger();
    await add({ 'a.x': 2, 'b.x': 1 });
    await add({ 'a.y': 5 }, 1);
    const expected = { a: 7, b: 1 };
    expect(await read('')).toEqual(expected);
    await fold();
    expect([await read(''), await read('a'), await read('c')]).toEqual([expected, { x: 2, y: 5 }, {}]);
    await add({ 'a.x': -2 });
    expect([await read(''), await read('a')]).toEqual([{ a: 5, b: 1 }, { y: 5 }]);
    await fold();
    expect([await read(''), await read('a')]).toEqual([{ a: 5, b: 1 }, { y: 5 }]);
  });

  test('cost one query a shard, and one request for each further node that has many', async () => {
    const { add, read, fold } = freshLedger();
    await add({ 'a.x': 1 });
    await fold();
    expect(await requestsOf(() => read('a'))).toEqual({ Query: 2 });
    await add(MANY);
    await fold();
    expect(await requestsOf(() => read(''))).toEqual({ Query: 2 });
    expect(await requestsOf(() => read('a'))).toEqual({ Query: 2, BatchGetItem: 1 });
  });

  test('are all there when many write and fold at once', async () => {
    const { add, read, fold, rows } = freshLedger({ random: () => Math.random() / 4 });
    await Promise.all(Array.from({ length: 80 }, (_, n) => add({ [`a.${n % 7}`]: 1 }, n % 2)));
    expect((await read('')).a).toBe(80);
    await fold();
    expect((await read('')).a).toBe(80);
    expect(await rows()).toHaveLength(1);
  });

  test('are never negative', async () => {
    const { add, read, fold } = freshLedger();
    await add({ 'a.x': -3 });
    expect([await read(''), await read('a')]).toEqual([{}, {}]);
    await fold();
    expect([await read(''), await read('a')]).toEqual([{}, {}]);
    await add({ 'a.x': 4 });
    expect(await read('')).toEqual({ a: 1 });
  });

  // reader  |--a, b, c------------------------------------------------ HEAD 2 names them all--|
  // fold               |--HEAD 2 (folded: a to i)--deletes a to i--|
  test('are read over several pages, with a fold between two of them', async () => {
    const { add, read, fold } = freshLedger({ shards: 1 });
    await add({ 'a.x': 5 });
    await fold();
    for (let n = 0; n < 9; n++) await add({ [`a.${n % 2}`]: 1 });
    const endPages = answerInPagesOf(3);
    // The shard has four pages and is read twice. The fold is before the second page of the second reading.
    interruptNth(6, 'Query', async () => {
      endPages();
      await fold();
    });
    expect(await read('')).toEqual({ a: 14 });
  });

  // fold 1  |--HEAD 1 (folded: a to l)--| killed
  // writer                                 |--12 more--|
  // fold 2  reads three records at a time                |--deletes a to l, read or not--HEAD 2--HEAD 3--...
  test('are folded over several pages, also after a fold that was killed', async () => {
    const { add, read, fold, rows } = freshLedger({ shards: 1 });
    for (let n = 0; n < 12; n++) await add({ [`a.${n % 2}`]: 1 });
    killNextFold();
    await expect(fold()).rejects.toThrow('killed');
    for (let n = 0; n < 12; n++) await add({ [`a.${n % 2}`]: 1 });
    const endPages = answerInPagesOf(4);
    await fold().finally(endPages);
    expect(await read('a')).toEqual({ 0: 12, 1: 12 });
    expect(await rows()).toHaveLength(1);
  });
});

describe('a commit with several amounts', () => {
  test('makes one record of those for one shard, and none of those that are nothing together', async () => {
    const { adding, read, rows } = freshLedger();
    await commit([adding({ 'a.x': 1 }, 0), adding({ 'a.x': 2, 'b.y': 1 }, 0), adding({ 'a.x': 4 }, 1)]);
    await commit([adding({ 'a.x': 1 }, 0), adding({ 'a.x': -1 }, 0)]);
    expect([(await rows(0)).length, (await rows(1)).length]).toEqual([1, 1]);
    expect(await read('')).toEqual({ a: 7, b: 1 });
  });

  test('may count more than one transaction of a fold could add', async () => {
    const { add, read, fold } = freshLedger();
    const names = Array.from({ length: 130 }, (_, n) => `node-${n}.x`);
    await add(Object.fromEntries(names.map((name) => [name, 1])));
    await fold();
    expect(Object.keys(await read(''))).toHaveLength(130);
    expect(await read('node-129')).toEqual({ x: 1 });
  });
});

describe('a fold', () => {
  test('of a thousand records names at most 500 at once and deletes them all', async () => {
    const { adding, add, read, fold, rows } = freshLedger();
    for (let n = 0; n < 11; n++) {
      await Promise.all(Array.from({ length: 100 }, (_, i) => commit([adding({ [`a.${i % 20}`]: 1 }, 0)])));
    }
    // So many writes may have throttled the key: a fold that meets that leaves the rest to the next.
    const foldedRows = async () => {
      await fold();
      return rows();
    };
    await expect.poll(foldedRows).toHaveLength(1);
    const [head] = await rows();
    expect([head?.generation?.N, head?.folded?.L?.length]).toEqual(['3', 100]);
    expect(await read('')).toEqual({ a: 1_100 });
    await add({ 'a.x': 1 });
    expect(await read('')).toEqual({ a: 1_101 });
  });

  // fold 1  |--reads a, b------------------------- HEAD 1: refused, it stops
  // fold 2       |--reads a, b--HEAD 1--deletes--|
  test('that meets another stops, and every record counts once', async () => {
    const { add, read, fold, rows } = freshLedger({ shards: 1 });
    for (let n = 0; n < 5; n++) await add({ 'a.x': 1 });
    interrupt('TransactWriteItems', fold);
    await fold();
    expect([await read(''), await read('a')]).toEqual([{ a: 5 }, { x: 5 }]);
    expect((await rows())[0]?.generation?.N).toBe('1');
  });

  // fold 1  |--HEAD 1 (folded: a)--| killed
  // writer                              |--b--|
  // fold 2                                     |--deletes a--HEAD 2 (folded: b)--deletes b--|
  test('that was killed before it deleted its records does no harm', async () => {
    const { add, read, fold, rows } = freshLedger({ shards: 1 });
    await add({ 'a.x': 3 });
    killNextFold();
    await expect(fold()).rejects.toThrow('killed');
    expect(await rows()).toHaveLength(2);
    expect([await read(''), await read('a')]).toEqual([{ a: 3 }, { x: 3 }]);
    await add({ 'a.x': 1 });
    await fold();
    expect(await rows()).toHaveLength(1);
    expect([await read(''), await read('a')]).toEqual([{ a: 4 }, { x: 4 }]);
  });

  // fold 1  |--HEAD 1 (folded: a)-- stalls ----------------------------------------- deletes a, which is gone --|
  // fold 2                           |--deletes a--HEAD 2 (folded: b)--deletes b--|
  test('that wakes up after another one harms nothing either', async () => {
    const { add, read, fold, rows } = freshLedger({ shards: 1 });
    await add({ 'a.x': 3 });
    interrupt('BatchWriteItem', async () => {
      await add({ 'a.x': 1 });
      await fold();
    });
    await fold();
    expect(await rows()).toHaveLength(1);
    expect([await read(''), await read('a')]).toEqual([{ a: 4 }, { x: 4 }]);
  });

  test('changes no total at any of its steps', async () => {
    const { add, read, fold } = freshLedger({ shards: 1 });
    await add({ 'a.x': 3 });
    await fold();
    await add({ 'a.x': 4, 'b.x': 1 });
    const seen: unknown[] = [];
    const look = async () => seen.push(await read(''), await read('a'));
    interrupt('TransactWriteItems', look);
    interrupt('BatchWriteItem', look);
    await fold();
    await look();
    expect(seen).toEqual(Array.from({ length: 3 }, () => [{ a: 7, b: 1 }, { x: 7 }]).flat());
  });
});

describe('a reader', () => {
  // reader  |--HEAD 0, record a-------------------------- node 1: newer than HEAD, reads again--|
  // fold                        |--HEAD 1, node 1--|
  test('that finds a node newer than the head reads again', async () => {
    const { add, readAlone: read, fold } = freshLedger({ shards: 1, countsOf: countsInNodes });
    await add({ 'a.x': 3 });
    interrupt('BatchGetItem', fold);
    const sent = await requestsOf(async () => {
      expect(await read('a')).toEqual({ x: 3 });
    });
    // One of them is the fold's.
    expect(sent.BatchGetItem).toBe(3);
  });

  // fold    |--HEAD 2------------------------------- node 2--|
  // reader            |--HEAD 2--node 1: reads again-------------- HEAD 2--node 2--|
  test('that sees the head of a fold before its node reads again', async () => {
    const { name, add, readAlone: read, fold } = freshLedger({ shards: 1, countsOf: countsInNodes });
    for (const amount of [3, 4]) {
      await add({ 'a.x': amount });
      await fold();
    }
    const node = { pk: `LEDGER#${name}#0#NODE#a.`, sk: 'NODE' };
    await put({ ...node, generation: 1, content: '{"amounts":{"a.x":3}}' });
    interrupt('BatchGetItem', async () =>
      interrupt('Query', () => put({ ...node, generation: 2, content: '{"amounts":{"a.x":7}}' })),
    );
    expect(await read('a')).toEqual({ x: 7 });
  });

  // reader  |--HEAD 2 tells of a node---------------------------- no node: reads again--|
  // fold                              |--HEAD 3, node deleted--|
  test('that does not find a node that was there reads again', async () => {
    const { add, read, readCounts, fold } = freshLedger({ shards: 1 });
    await add(MANY);
    await fold();
    await add({ 'b.x': 1 });
    await fold();
    interrupt('BatchGetItem', async () => {
      await add(Object.fromEntries(Object.keys(MANY).map((name) => [name, -1])));
      await fold();
    });
    const both = await readCounts(async (readNode) => [await readNode(''), await readNode('', 'a.')]);
    expect(both).toEqual([new Map([['b', 1]]), new Map()]);
    expect(await requestsOf(() => read('a'))).toEqual({ Query: 1 });
  });
});

describe('a commit', () => {
  test('is followed by a fold once in 32 times, by the number that is drawn', async () => {
    const drawn = [1 / 32, 0.031];
    const { add, rows } = freshLedger({ random: () => drawn.shift() ?? 1 });
    expect(await requestsOf(() => add({ 'a.x': 1 }))).toEqual({ PutItem: 1 });
    expect(await requestsOf(() => add({ 'a.x': 1 }))).toEqual({
      PutItem: 1,
      Query: 1,
      TransactWriteItems: 1,
      BatchWriteItem: 1,
    });
    expect(await rows()).toHaveLength(1);
  });

  test('holds when the fold after it fails, which is logged', async () => {
    const { add, read } = freshLedger({ random: () => 0 });
    killNextFold();
    const { lines } = await logOf(() => add({ 'a.x': 1 }));
    expect(lines).toMatchObject([{ level: 'WARN', error: { message: 'killed' } }]);
    expect(await read('')).toEqual({ a: 1 });
  });
});
