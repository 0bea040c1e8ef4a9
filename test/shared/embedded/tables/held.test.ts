import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../shared/embedded/database.ts';
import { createTableStore } from '../../../../shared/embedded/tables/store.ts';

const TableName = 'things';

async function opened() {
  const database = openDatabase();
  onTestFinished(database.close);
  const store = createTableStore(database, { now: Date.now, strict: undefined });
  await store.run('CreateTable', {
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  });
  const put = (pk: string, more: object = {}) =>
    store.run('PutItem', { TableName, Item: { pk: { S: pk }, ...more } });
  return { database, store, put };
}

test('leases and semaphores are found, and nothing that only looks like them', async () => {
  const { store, put } = await opened();
  await put('JOB#1', { leaseEndsAtMs: { N: '5' } });
  await put('SEMAPHORE#uploads/1');
  await put('JOB#2', { text: { S: '"leaseEndsAtMs":{' } });
  await put('JOB#3', { inside: { M: { leaseEndsAtMs: { N: '5' } } } });
  await put('SEMAPHORES');
  expect(store.findHeld()).toEqual([
    { TableName, Key: { pk: { S: 'JOB#1' } }, attribute: 'leaseEndsAtMs' },
    { TableName, Key: { pk: { S: 'SEMAPHORE#uploads/1' } } },
  ]);
});

test('a lease that was released is not found any more', async () => {
  const { store, put } = await opened();
  await put('JOB#1', { leaseEndsAtMs: { N: '5' } });
  await store.run('UpdateItem', {
    TableName,
    Key: { pk: { S: 'JOB#1' } },
    UpdateExpression: 'REMOVE leaseEndsAtMs',
  });
  expect(store.findHeld()).toEqual([]);
});

test('what is held is found by an index, without the other items', async () => {
  const { database } = await opened();
  const plan = [...database.each('EXPLAIN QUERY PLAN SELECT item FROM items_1 WHERE held IS NOT NULL')];
  expect(plan.map(({ detail }) => detail)).toEqual([expect.stringContaining('USING INDEX items_1_held')]);
});
