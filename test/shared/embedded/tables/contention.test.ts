import {
  BatchWriteItemCommand,
  DeleteItemCommand,
  PutItemCommand,
  TransactGetItemsCommand,
  type TransactionCanceledException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { holdAsAws } from '../../../../shared/embedded/tables/strict.ts';
import { key, put, started, TABLE } from './started.ts';

const refusalOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('not refused')),
    (error: Error) => error,
  );
const reasonsOf = async (work: Promise<unknown>) => {
  const error = (await refusalOf(work)) as TransactionCanceledException;
  return [error.name, ...(error.CancellationReasons ?? []).map(({ Code }) => Code)];
};
const CANCELED = 'TransactionCanceledException';
const check = (pk: string) => ({
  ConditionCheck: { TableName: TABLE, Key: key(pk), ConditionExpression: 'attribute_not_exists(pk)' },
});

/** A store where each transaction has its items until the test lets it go on. */
async function contended() {
  const holds: (() => void)[] = [];
  const arrivals: (() => void)[] = [];
  const hold = () =>
    new Promise<void>((resolve) => {
      holds.push(resolve);
      arrivals.shift()?.();
    });
  const store = await started({ strict: { hold } });
  return {
    ...store,
    /** Starts a transaction. Resolves when it has its items. */
    async begin(items: Parameters<typeof store.transact>[0], token?: string) {
      const arrived = new Promise<void>((resolve) => arrivals.push(resolve));
      const done = store.transact(items, token);
      await Promise.race([arrived, done]);
      return { done };
    },
    letGo: () => {
      for (const resolve of holds.splice(0)) resolve();
    },
  };
}

describe('a transaction in progress', () => {
  //   transaction 1  |--has a and b---------------------- commits--|
  //   transaction 2      |--wants b: canceled--|
  //   transaction 3                                                 |--has b--
  test('cancels one that wants an item of it, with the reason at that item and None at the others', async () => {
    const { begin, transact, letGo, get, tables } = await contended();
    const { done } = await begin([put('a'), put('b', { n: { N: '1' } })]);
    expect(await reasonsOf(transact([put('z'), put('b'), put('y')]))).toEqual([
      CANCELED,
      'None',
      'TransactionConflict',
      'None',
    ]);
    expect(await get('z')).toBeUndefined();
    letGo();
    await done;
    const later = await begin([put('b', { n: { N: '2' } })]);
    letGo();
    await later.done;
    expect(await get('b')).toEqual({ ...key('b'), n: { N: '2' } });
    expect(tables.counts.transactions).toEqual({ tried: 3, conflicts: 1, throttled: 0 });
  });

  test('holds the items that it only checks, and is canceled because of them', async () => {
    const { begin, transact, letGo } = await contended();
    const { done } = await begin([put('a'), check('folder')]);
    expect(await reasonsOf(transact([put('b'), check('folder')]))).toEqual([
      CANCELED,
      'None',
      'TransactionConflict',
    ]);
    letGo();
    await done;
  });

  test('leaves one alone that wants other items', async () => {
    const { begin, letGo, get } = await contended();
    const first = await begin([put('a')]);
    const second = await begin([put('b')]);
    letGo();
    await Promise.all([first.done, second.done]);
    expect([await get('a'), await get('b')]).toEqual([key('a'), key('b')]);
  });

  test.each([
    ['PutItem', new PutItemCommand({ TableName: TABLE, Item: key('a') })],
    ['UpdateItem', new UpdateItemCommand({ TableName: TABLE, Key: key('a') })],
    ['DeleteItem', new DeleteItemCommand({ TableName: TABLE, Key: key('a') })],
  ])('fails a %s of its item, and not one of another', async (_, command) => {
    const { client, begin, letGo, tables } = await contended();
    const { done } = await begin([put('a')]);
    expect((await refusalOf(client.send(command as PutItemCommand))).name).toBe(
      'TransactionConflictException',
    );
    await client.send(new PutItemCommand({ TableName: TABLE, Item: key('b') }));
    letGo();
    await done;
    await client.send(command as PutItemCommand);
    expect(tables.counts.writes).toEqual({ tried: 3, conflicts: 1, throttled: 0 });
  });

  test('leaves its item unprocessed in a batch, and the others are written', async () => {
    const { client, begin, letGo, get } = await contended();
    const { done } = await begin([put('a', { n: { N: '1' } })]);
    const requests = ['a', 'b'].map((pk) => ({ PutRequest: { Item: key(pk) } }));
    const { UnprocessedItems } = await client.send(
      new BatchWriteItemCommand({ RequestItems: { [TABLE]: requests } }),
    );
    expect(UnprocessedItems).toEqual({ [TABLE]: [requests[0]] });
    letGo();
    await done;
    expect([await get('a'), await get('b')]).toEqual([{ ...key('a'), n: { N: '1' } }, key('b')]);
  });

  test('cancels TransactGetItems of its item; a plain read sees the item from before', async () => {
    const { client, begin, letGo, get } = await contended();
    await client.send(new PutItemCommand({ TableName: TABLE, Item: key('a') }));
    const { done } = await begin([put('a', { n: { N: '1' } })]);
    const TransactItems = ['b', 'a'].map((pk) => ({ Get: { TableName: TABLE, Key: key(pk) } }));
    expect(await reasonsOf(client.send(new TransactGetItemsCommand({ TransactItems })))).toEqual([
      CANCELED,
      'None',
      'TransactionConflict',
    ]);
    expect(await get('a')).toEqual(key('a'));
    letGo();
    await done;
    expect(await get('a')).toEqual({ ...key('a'), n: { N: '1' } });
  });

  test('says so to a second request with its token', async () => {
    const { begin, transact, letGo } = await contended();
    const { done } = await begin([put('a')], 'token');
    expect((await refusalOf(transact([put('a')], 'token'))).name).toBe('TransactionInProgressException');
    letGo();
    await done;
  });
});

test('a transaction that a condition refuses lets its items go', async () => {
  const { transact, client } = await started({ strict: { hold: async () => {} } });
  const impossible = {
    Put: { ...put('a').Put, ConditionExpression: 'attribute_exists(pk)' },
  };
  expect(await reasonsOf(transact([impossible]))).toEqual([CANCELED, 'ConditionalCheckFailed']);
  await client.send(new PutItemCommand({ TableName: TABLE, Item: key('a') }));
});

test('a transaction takes 15 to 25 ms', async () => {
  const heldMs = async () => {
    const startedAt = performance.now();
    await holdAsAws();
    return performance.now() - startedAt;
  };
  // A timer may be late by any time, and early by less than a millisecond.
  for (let n = 0; n < 10; n++) expect(await heldMs()).toBeGreaterThan(14);
  await expect.poll(heldMs).toBeLessThan(30);
});
