import {
  IdempotentParameterMismatchException,
  PutItemCommand,
  TransactGetItemsCommand,
  TransactionCanceledException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { key, put, putNew, started, TABLE } from './started.ts';

const canceledBy = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => undefined,
    (refused: unknown) => refused,
  );
  if (!(error instanceof TransactionCanceledException)) throw new Error(`not canceled: ${error}`);
  return error.CancellationReasons;
};

describe('a transaction', () => {
  test('writes all of its items and their index entries', async () => {
    const { transact, get, due } = await started();
    await transact([put('a', { duePk: { S: 'today' } }), put('b', { duePk: { S: 'today' } })]);
    expect(await get('a')).toBeDefined();
    expect((await due('today')).map((item) => item.pk?.S).sort()).toEqual(['a', 'b']);
  });

  test('writes nothing when one of its conditions fails', async () => {
    const { transact, get, due } = await started();
    await transact([put('b')]);
    await canceledBy(transact([put('a', { duePk: { S: 'today' } }), putNew('b')]));
    expect(await get('a')).toBeUndefined();
    expect(await due('today')).toEqual([]);
  });

  test('gives every item its reason, in the order of the request', async () => {
    const { transact } = await started();
    await transact([put('b', { colour: { S: 'red' } }), put('d')]);
    const asked = { ...putNew('b').Put, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const };
    expect(await canceledBy(transact([put('a'), { Put: asked }, put('c'), putNew('d')]))).toEqual([
      { Code: 'None' },
      {
        Code: 'ConditionalCheckFailed',
        Message: 'The conditional request failed',
        Item: { pk: { S: 'b' }, colour: { S: 'red' } },
      },
      { Code: 'None' },
      { Code: 'ConditionalCheckFailed', Message: 'The conditional request failed' },
    ]);
  });

  test('says ValidationError of an item that its update does not fit, and writes nothing', async () => {
    const { transact, get } = await started();
    await transact([put('word', { n: { S: 'seven' } })]);
    const addOne = {
      Update: {
        TableName: TABLE,
        Key: key('word'),
        UpdateExpression: 'SET n = n + :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      },
    };
    const reasons = await canceledBy(transact([put('a'), addOne]));
    expect(reasons?.map(({ Code }) => Code)).toEqual(['None', 'ValidationError']);
    expect(reasons?.[1]?.Message).toContain('incorrect data type');
    expect(await get('a')).toBeUndefined();
  });

  test('says ValidationError of a key that the table does not have', async () => {
    const { transact } = await started();
    const wrong = { Delete: { TableName: TABLE, Key: { id: { S: 'x' } } } };
    expect((await canceledBy(transact([put('a'), wrong])))?.map(({ Code }) => Code)).toEqual([
      'None',
      'ValidationError',
    ]);
  });

  test('checks a condition without changing the item, or making one', async () => {
    const { transact, get } = await started();
    await transact([put('there')]);
    const check = (pk: string, ConditionExpression: string) => ({
      ConditionCheck: { TableName: TABLE, Key: key(pk), ConditionExpression },
    });
    await transact([
      put('a'),
      check('there', 'attribute_exists(pk)'),
      check('gone', 'attribute_not_exists(pk)'),
    ]);
    expect(await get('there')).toEqual(key('there'));
    expect(await get('gone')).toBeUndefined();
    await canceledBy(transact([put('b'), check('gone', 'attribute_exists(pk)')]));
    expect(await get('b')).toBeUndefined();
  });

  test('refuses two operations on one item', async () => {
    const { transact } = await started();
    await expect(transact([put('a'), { Delete: { TableName: TABLE, Key: key('a') } }])).rejects.toThrow(
      'cannot include multiple operations on one item',
    );
  });

  test('takes 100 items and refuses 101, or none', async () => {
    const { transact, get } = await started();
    const items = (count: number) => Array.from({ length: count }, (_, i) => put(`item ${i}`));
    await expect(transact(items(101))).rejects.toThrow('less than or equal to 100');
    await expect(transact([])).rejects.toThrow('greater than or equal to 1');
    expect(await get('item 0')).toBeUndefined();
    await transact(items(100));
    expect(await get('item 99')).toBeDefined();
  });

  test('refuses an expression that does not parse before it looks at any item', async () => {
    const { transact } = await started();
    const broken = { Put: { ...put('a').Put, ConditionExpression: 'attribute_not_exists(' } };
    await expect(transact([broken])).rejects.toMatchObject({ name: 'ValidationException' });
  });

  test('refuses a table that is not there', async () => {
    const { transact } = await started();
    const elsewhere = { Put: { TableName: 'elsewhere', Item: key('a') } };
    await expect(transact([elsewhere])).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  });

  // 50 callers  |--both items must be new--|   one is first, 49 are refused, and no loser's item is left
  test('has one winner among 50 that want the same two items', async () => {
    const { transact, get } = await started();
    const mine = (i: number) => ({ owner: { N: String(i) } });
    const tries = Array.from({ length: 50 }, (_, i) =>
      transact([putNew('left', mine(i)), putNew('right', mine(i))]),
    );
    const results = await Promise.allSettled(tries);
    const winners = results.flatMap(({ status }, i) => (status === 'fulfilled' ? [i] : []));
    expect(winners).toHaveLength(1);
    expect(await get('left')).toEqual({ ...key('left'), ...mine(Number(winners[0])) });
    expect(await get('right')).toEqual({ ...key('right'), ...mine(Number(winners[0])) });
  });

  test('loses no count among plain updates and transactions on one item', async () => {
    const { client, transact, get } = await started();
    const count = { Key: key('n'), TableName: TABLE, UpdateExpression: 'ADD n :one' };
    const values = { ExpressionAttributeValues: { ':one': { N: '1' } } };
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        i % 2
          ? transact([{ Update: { ...count, ...values } }, put(`other ${i}`)])
          : client.send(new UpdateItemCommand({ ...count, ...values })),
      ),
    );
    expect(await get('n')).toEqual({ ...key('n'), n: { N: '40' } });
  });

  test('reads items in the order asked for, projected, with a gap for one that is not there', async () => {
    const { client, transact } = await started();
    await transact([put('a', { n: { N: '1' }, m: { N: '2' } }), put('b')]);
    const read = (pk: string) => ({ Get: { TableName: TABLE, Key: key(pk), ProjectionExpression: 'pk, m' } });
    const TransactItems = [read('b'), read('gone'), read('a')];
    const { Responses } = await client.send(new TransactGetItemsCommand({ TransactItems }));
    expect(Responses).toEqual([{ Item: key('b') }, {}, { Item: { ...key('a'), m: { N: '2' } } }]);
    const wrong = { Get: { TableName: TABLE, Key: { id: { S: 'x' } } } };
    const reasons = await canceledBy(
      client.send(new TransactGetItemsCommand({ TransactItems: [read('a'), wrong] })),
    );
    expect(reasons?.map(({ Code }) => Code)).toEqual(['None', 'ValidationError']);
  });

  test('reads 4 MB at most', async () => {
    const { client, transact } = await started();
    const names = Array.from({ length: 11 }, (_, n) => `large ${n}`);
    for (const name of names) await transact([put(name, { text: { S: 'x'.repeat(390 * 1024) } })]);
    const read = (some: string[]) =>
      client.send(
        new TransactGetItemsCommand({
          TransactItems: some.map((name) => ({ Get: { TableName: TABLE, Key: key(name) } })),
        }),
      );
    await expect(read(names)).rejects.toThrow('4 MB');
    expect((await read(names.slice(1))).Responses).toHaveLength(10);
  });
});

describe('a ClientRequestToken', () => {
  const addOne = {
    Update: {
      TableName: TABLE,
      Key: key('n'),
      UpdateExpression: 'ADD n :one',
      ExpressionAttributeValues: { ':one': { N: '1' } },
    },
  };

  test('makes the same request twice count once, even at the same time', async () => {
    const { transact, get } = await started();
    await Promise.all([transact([addOne], 'token'), transact([addOne], 'token')]);
    await transact([addOne], 'token');
    expect((await get('n'))?.n).toEqual({ N: '1' });
  });

  test('refuses another request', async () => {
    const { transact, get } = await started();
    await transact([addOne], 'token');
    await expect(transact([put('other')], 'token')).rejects.toBeInstanceOf(
      IdempotentParameterMismatchException,
    );
    expect(await get('other')).toBeUndefined();
  });

  test('lets one of two different requests through at the same time', async () => {
    const { transact, get } = await started();
    const results = await Promise.allSettled([transact([put('a')], 'token'), transact([put('b')], 'token')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect([await get('a'), await get('b')].filter(Boolean)).toHaveLength(1);
  });

  test('is forgotten after ten minutes', async () => {
    let now = Date.now();
    const { transact, get } = await started({ now: () => now });
    await transact([addOne], 'token');
    now += 10 * 60_000;
    await transact([addOne], 'token');
    expect((await get('n'))?.n).toEqual({ N: '2' });
  });

  test('of a refused request may be tried again', async () => {
    const { client, transact, get } = await started();
    const onlyIfOpen = {
      Update: { ...addOne.Update, ConditionExpression: 'attribute_exists(pk)' },
    };
    await canceledBy(transact([onlyIfOpen], 'token'));
    await client.send(new PutItemCommand({ TableName: TABLE, Item: key('n') }));
    await transact([onlyIfOpen], 'token');
    expect((await get('n'))?.n).toEqual({ N: '1' });
  });
});
