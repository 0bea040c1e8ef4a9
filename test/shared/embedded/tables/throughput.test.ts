import {
  BatchWriteItemCommand,
  PutItemCommand,
  type TransactionCanceledException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { type Item, key, put, started, TABLE } from './started.ts';

const OTHER_BYTES = 64; // more than the other attributes and all names have
/** Fills an item up to so many kilobytes. */
const text = (kilobytes: number) => ({ text: { S: 'x'.repeat(kilobytes * 1_024 - OTHER_BYTES) } });

/** A store with a clock that stands still until the test moves it. */
async function limited() {
  const clock = { nowMs: Date.parse('2026-11-14T02:05:33.000Z') };
  const store = await started({ now: () => clock.nowMs, strict: { hold: async () => {} } });
  const write = (pk: string, more: Item = {}) =>
    store.client
      .send(new PutItemCommand({ TableName: TABLE, Item: { ...key(pk), ...more } }))
      .then(() => 'written')
      .catch((error: Error) => error.name);
  return { ...store, clock, write };
}

const THROTTLED = 'ProvisionedThroughputExceededException';

test('a partition key takes 1,000 write units in a second, and others take their own', async () => {
  const { write, clock, tables } = await limited();
  for (let n = 0; n < 10; n++) expect(await write('hot', text(100))).toBe('written');
  expect([await write('hot'), await write('other')]).toEqual([THROTTLED, 'written']);
  clock.nowMs += 999;
  expect(await write('hot')).toBe(THROTTLED);
  clock.nowMs += 1;
  expect(await write('hot')).toBe('written');
  expect(tables.counts.writes).toEqual({ tried: 14, conflicts: 0, throttled: 2 });
});

test('every kilobyte that is begun is a unit, of the larger of the item before and after', async () => {
  const { write } = await limited();
  for (let n = 0; n < 3; n++) expect(await write('hot', text(300))).toBe('written');
  // 900 are gone. The item still has 300 kilobytes, so that a small one in its place costs 300 too.
  expect(await write('hot')).toBe(THROTTLED);
});

test('a transaction costs twice, its checks included, and says which item is throttled', async () => {
  const { transact, write, tables } = await limited();
  for (let n = 0; n < 5; n++) await transact([put('hot', text(100))]);
  const check = { TableName: TABLE, Key: key('hot'), ConditionExpression: 'attribute_exists(pk)' };
  const refused = await transact([put('cold'), { ConditionCheck: check }]).catch((error) => error);
  expect((refused as TransactionCanceledException).CancellationReasons?.map(({ Code }) => Code)).toEqual([
    'None',
    'ThrottlingError',
  ]);
  // The transaction took nothing of the other key.
  for (let n = 0; n < 10; n++) expect(await write('cold', text(100))).toBe('written');
  expect(tables.counts.transactions).toEqual({ tried: 6, conflicts: 0, throttled: 1 });
});

test('the partition key of an index has a limit of its own, which stops writes of the table', async () => {
  const { write } = await limited();
  const due = { duePk: { S: 'everything' } };
  for (let n = 0; n < 10; n++) expect(await write(`item ${n}`, { ...due, ...text(100) })).toBe('written');
  expect([await write('another', due), await write('another')]).toEqual([THROTTLED, 'written']);
});

test('an entry that moves in an index costs at both of its keys; one that stays as it is costs nothing', async () => {
  const { client, write } = await limited();
  const dueIn = (value: string) => ({ duePk: { S: value } });
  for (let n = 0; n < 9; n++)
    expect(await write(`item ${n}`, { ...dueIn('today'), ...text(100) })).toBe('written');
  const move = (pk: string, duePk: string) =>
    client
      .send(
        new UpdateItemCommand({
          TableName: TABLE,
          Key: key(pk),
          UpdateExpression: 'SET duePk = :due',
          ExpressionAttributeValues: { ':due': { S: duePk } },
        }),
      )
      .then(() => 'written')
      .catch((error: Error) => error.name);
  // 900 of today are gone. Unchanged entries take none of the last 100.
  expect([await move('item 0', 'today'), await move('item 0', 'today')]).toEqual(['written', 'written']);
  expect(await move('item 1', 'tomorrow')).toBe('written');
  expect(await move('item 2', 'tomorrow')).toBe(THROTTLED);
});

test('a batch leaves throttled items unprocessed, and is throttled when all of them are', async () => {
  const { client, write } = await limited();
  for (let n = 0; n < 10; n++) await write('hot', text(100));
  const batch = (...pks: string[]) =>
    client.send(
      new BatchWriteItemCommand({
        RequestItems: { [TABLE]: pks.map((pk) => ({ PutRequest: { Item: key(pk) } })) },
      }),
    );
  const { UnprocessedItems } = await batch('hot', 'cold');
  expect(UnprocessedItems).toEqual({ [TABLE]: [{ PutRequest: { Item: key('hot') } }] });
  await expect(batch('hot')).rejects.toMatchObject({ name: THROTTLED });
});

test('without the mode nothing is throttled', async () => {
  const { client, tables } = await started();
  const big = { TableName: TABLE, Item: { ...key('hot'), ...text(300) } };
  for (let n = 0; n < 6; n++) await client.send(new PutItemCommand(big));
  expect(tables.counts.writes.tried).toBe(0);
});
