import {
  BatchWriteItemCommand,
  ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { key, put, started, TABLE } from './started.ts';

const old = { ...key('a'), colour: { S: 'red' } };
const onlyIfBlue = {
  TableName: TABLE,
  ConditionExpression: 'colour = :blue',
  ExpressionAttributeValues: { ':blue': { S: 'blue' } },
};
const commands = {
  PutItem: (more: object) => new PutItemCommand({ ...onlyIfBlue, Item: key('a'), ...more }),
  DeleteItem: (more: object) => new DeleteItemCommand({ ...onlyIfBlue, Key: key('a'), ...more }),
  UpdateItem: (more: object) =>
    new UpdateItemCommand({ ...onlyIfBlue, Key: key('a'), UpdateExpression: 'SET weight = :blue', ...more }),
};

test.each(['PutItem', 'UpdateItem', 'DeleteItem'] as const)(
  'a refused %s tells the item as it is when asked to, and only then',
  async (name) => {
    const { client, get } = await started();
    await client.send(new PutItemCommand({ TableName: TABLE, Item: old }));
    const refusal = (more: object): Promise<ConditionalCheckFailedException> =>
      client.send(commands[name](more) as PutItemCommand).then(
        () => {
          throw new Error('it was accepted');
        },
        (error) => error,
      );
    const refused = await refusal({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
    expect(refused).toBeInstanceOf(ConditionalCheckFailedException);
    expect(refused.Item).toEqual(old);
    expect((await refusal({})).Item).toBeUndefined();
    expect(await get('a')).toEqual(old);
  },
);

test('a refused write of an item that is not there tells none', async () => {
  const { client } = await started();
  const command = commands.PutItem({ ReturnValuesOnConditionCheckFailure: 'ALL_OLD' });
  const refused = await client.send(command).catch((error) => error);
  expect(refused).toBeInstanceOf(ConditionalCheckFailedException);
  expect(refused.Item).toBeUndefined();
});

test('one of 50 conditional writers wins, and the others are told of it', async () => {
  const { client } = await started();
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, i) =>
      client.send(
        new PutItemCommand({
          TableName: TABLE,
          Item: { ...key('a'), owner: { N: String(i) } },
          ConditionExpression: 'attribute_not_exists(pk)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      ),
    ),
  );
  const winner = results.findIndex(({ status }) => status === 'fulfilled');
  const losers = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  expect(losers).toHaveLength(49);
  for (const { Item } of losers) expect(Item.owner).toEqual({ N: String(winner) });
});

test('an item leaves the index with the attribute that put it there', async () => {
  const { client, due } = await started();
  await client.send(new PutItemCommand({ TableName: TABLE, Item: { ...key('a'), duePk: { S: 'today' } } }));
  expect(await due('today')).toHaveLength(1);
  await client.send(
    new UpdateItemCommand({ TableName: TABLE, Key: key('a'), UpdateExpression: 'REMOVE duePk' }),
  );
  expect(await due('today')).toEqual([]);
});

test('a batch puts and deletes, and refuses a key named twice', async () => {
  const { client, get } = await started();
  await client.send(new PutItemCommand({ TableName: TABLE, Item: key('gone') }));
  const request = (pk: string) => ({ PutRequest: { Item: put(pk).Put.Item } });
  const batch = (requests: object[]) =>
    client.send(new BatchWriteItemCommand({ RequestItems: { [TABLE]: requests } }));
  await batch([request('a'), request('b'), { DeleteRequest: { Key: key('gone') } }]);
  const { Items = [] } = await client.send(new ScanCommand({ TableName: TABLE }));
  expect(Items.map((item) => item.pk?.S).sort()).toEqual(['a', 'b']);
  await expect(batch([request('c'), request('c')])).rejects.toThrow('duplicates');
  await expect(batch([{ PutRequest: { Item: { other: { S: 'x' } } } }])).rejects.toMatchObject({
    name: 'ValidationException',
  });
  expect(await get('c')).toBeUndefined();
});
