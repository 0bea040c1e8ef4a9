import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  PutItemCommand,
  QueryCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { openStores } from '../../../../shared/embedded/stores.ts';
import { clientOf, createThings, key, put, shorthands, started, TABLE } from './started.ts';

const addByColour = new UpdateTableCommand({
  TableName: TABLE,
  AttributeDefinitions: ['pk', 'duePk', 'colour'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S',
  })),
  GlobalSecondaryIndexUpdates: [
    {
      Create: {
        IndexName: 'by-colour',
        KeySchema: [{ AttributeName: 'colour', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    },
  ],
});
const red = new QueryCommand({
  TableName: TABLE,
  IndexName: 'by-colour',
  KeyConditionExpression: 'colour = :red',
  ExpressionAttributeValues: { ':red': { S: 'red' } },
});

test('an index added to a table holds the items that were there and those that come', async () => {
  const { client, transact } = await started();
  await transact([
    put('before', { colour: { S: 'red' } }),
    put('blue', { colour: { S: 'blue' } }),
    put('none'),
  ]);
  await client.send(new PutItemCommand({ TableName: TABLE, Item: { ...key('number'), colour: { N: '7' } } }));
  await client.send(addByColour);
  await transact([put('after', { colour: { S: 'red' } })]);
  const { Items = [] } = await client.send(red);
  expect(Items.map((item) => item.pk?.S).sort()).toEqual(['after', 'before']);
  await expect(client.send(addByColour)).rejects.toThrow('already exists');
});

test('an index added under a stream of writes misses none of them', async () => {
  const { client } = await started();
  const writing = Array.from({ length: 60 }, (_, i) =>
    client.send(
      new PutItemCommand({ TableName: TABLE, Item: { ...key(`item ${i}`), colour: { S: 'red' } } }),
    ),
  );
  await client.send(addByColour);
  await Promise.all(writing);
  expect((await client.send(red)).Count).toBe(60);
});

test('a deleted table takes its items, index entries and expiry with it', async () => {
  const { client, get, due } = await started();
  const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: true };
  await client.send(new UpdateTimeToLiveCommand({ TableName: TABLE, TimeToLiveSpecification }));
  await client.send(new PutItemCommand({ TableName: TABLE, Item: { ...key('a'), duePk: { S: 'today' } } }));
  await client.send(new DeleteTableCommand({ TableName: TABLE }));
  await expect(get('a')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  await createThings(client);
  expect(await get('a')).toBeUndefined();
  expect(await due('today')).toEqual([]);
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName: TABLE }));
  expect(TimeToLiveDescription?.TimeToLiveStatus).toBe('DISABLED');
});

test('a table is active as soon as it is made, and cannot be made twice', async () => {
  const { client } = await started();
  const { Table } = await client.send(new DescribeTableCommand({ TableName: TABLE }));
  expect([Table?.TableStatus, Table?.GlobalSecondaryIndexes?.[0]?.IndexStatus]).toEqual(['ACTIVE', 'ACTIVE']);
  await expect(createThings(client)).rejects.toMatchObject({ name: 'ResourceInUseException' });
});

test('a store with a path keeps tables, items, expiry and request tokens over a restart', async () => {
  const path = mkdtempSync(join(tmpdir(), 'sinete-tables-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  const count = new UpdateItemCommand({
    TableName: TABLE,
    Key: key('n'),
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  }).input;
  const counting = [{ Update: { ...count, UpdateExpression: 'ADD n :one' } }];

  const first = openStores({ folder: path });
  const before = clientOf(first);
  await createThings(before);
  await before.send(
    new UpdateTimeToLiveCommand({
      TableName: TABLE,
      TimeToLiveSpecification: { AttributeName: 'ttl', Enabled: true },
    }),
  );
  await shorthands(before).transact(counting, 'token');
  first.close();

  const second = openStores({ folder: path });
  const after = clientOf(second);
  await shorthands(after).transact(counting, 'token');
  expect(await shorthands(after).get('n')).toEqual({ ...key('n'), n: { N: '1' } });
  const { TimeToLiveDescription } = await after.send(new DescribeTimeToLiveCommand({ TableName: TABLE }));
  expect(TimeToLiveDescription?.TimeToLiveStatus).toBe('ENABLED');
  second.close();
});
