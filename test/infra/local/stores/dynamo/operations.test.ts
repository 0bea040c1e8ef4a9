import { setImmediate as turn } from 'node:timers/promises';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createStore, type Store } from '../../../../../infra/local/stores/dynamo/dynalite.ts';
import { createOperations, type Operations } from '../../../../../infra/local/stores/dynamo/operations.ts';
import { key, put, TABLE, THINGS } from './started.ts';

let store: Store;
let operations: Operations;
const call = (name: string, body: object) => operations[name]?.({ TableName: TABLE, ...body });
// Long enough for everything that waits for nothing but the event loop.
const turns = async () => {
  for (let i = 0; i < 100; i++) await turn();
};

beforeEach(async () => {
  store = createStore();
  operations = createOperations(store, Date.now).operations;
  await call('CreateTable', THINGS);
  await call('PutItem', { Item: { ...key('a'), duePk: { S: 'today' } } });
});

const tomorrow = { ...key('a'), duePk: { S: 'tomorrow' } };
const moveTo = {
  Key: key('a'),
  UpdateExpression: 'SET duePk = :day',
  ExpressionAttributeValues: { ':day': { S: 'tomorrow' } },
};
// Each moves an item from one entry of the index to another: the item, the new entry and the old one.
const changes: [string, object, number][] = [
  ['PutItem', { Item: tomorrow }, 3],
  ['UpdateItem', moveTo, 3],
  ['DeleteItem', { Key: key('a') }, 2],
  ['BatchWriteItem', { RequestItems: { [TABLE]: [{ PutRequest: { Item: tomorrow } }] } }, 3],
  // With the second item and the token.
  [
    'TransactWriteItems',
    { ClientRequestToken: 't', TransactItems: [{ Put: { TableName: TABLE, Item: tomorrow } }, put('b')] },
    5,
  ],
];

// LevelDB writes a batch whole or not at all: one batch is what makes a write survive kill -9 whole.
describe.each(changes)('%s', (name, body, count) => {
  test('commits the item, its index entries and all else in one batch', async () => {
    const batch = vi.spyOn(store.db, 'batch');
    await call(name, body);
    expect(batch.mock.calls.map(([writes]) => writes.length)).toEqual([count]);
  });

  test('is answered only once its batch is written', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    vi.spyOn(store.db, 'batch').mockReturnValue(promise);
    let answered = false;
    const answer = call(name, body)?.then(() => {
      answered = true;
    });
    await turns();
    expect(answered).toBe(false);
    resolve();
    await answer;
  });

  test('waits for a write of its item that is under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const batch = vi.spyOn(store.db, 'batch').mockReturnValueOnce(promise);
    const first = call('UpdateItem', { ...moveTo, UpdateExpression: 'SET n = :day' });
    await turns();
    const second = call(name, body);
    await turns();
    expect(batch).toHaveBeenCalledTimes(1);
    resolve();
    await Promise.all([first, second]);
  });
});

//   TransactGetItems    |--reads a---- stalls ----reads b--|
//   TransactWriteItems        |--waits---------------------|--writes a and b--|
test('a transaction that reads holds off one that writes', async () => {
  const { promise: stall, resolve: goOn } = Promise.withResolvers<void>();
  const { getItemDb } = store;
  let reads = 0;
  store.getItemDb = (table) => {
    const section = getItemDb(table);
    const later = reads++ === 1 ? stall : Promise.resolve();
    return { ...section, get: (at, done) => void later.then(() => section.get(at, done)) };
  };
  const both = (n: string) => ['a', 'b'].map((pk) => put(pk, { n: { N: n } }));
  const reading = call('TransactGetItems', {
    TransactItems: ['a', 'b'].map((pk) => ({ Get: { TableName: TABLE, Key: key(pk) } })),
  });
  await turns();
  const writing = call('TransactWriteItems', { TransactItems: both('1') });
  await turns();
  goOn();
  const seen = (await reading)?.Responses as { Item?: { n?: unknown } }[];
  await writing;
  expect(seen.map(({ Item }) => Item?.n)).toEqual([undefined, undefined]);
});
