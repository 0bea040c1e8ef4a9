import {
  type AttributeValue,
  DeleteItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { openStores } from '../../../../shared/embedded/stores.ts';
import { clientOf, key, started, TABLE } from './started.ts';

type Case = readonly [expression: string, message: string, value?: AttributeValue, other?: AttributeValue];

const one: AttributeValue = { N: '1' };
const two: AttributeValue = { N: '2' };
const text: AttributeValue = { S: 'a' };
const set: AttributeValue = { SS: ['a'] };
const REFUSED: readonly Case[] = [
  ['((attribute_exists(n)))', 'redundant parentheses'],
  ['NOT ((n = :a))', 'redundant parentheses', one],
  ['n < :a', 'Incorrect operand type for operator or function; operator or function: <', set],
  ['size(n) >= :a', 'Incorrect operand type', set],
  ['n BETWEEN :a AND :b', 'Incorrect operand type', set, set],
  ['n BETWEEN :a AND :b', 'same data type', one, text],
  ['n BETWEEN :a AND :b', 'greater than or equal to lower bound', two, one],
  ['begins_with(n, :a)', 'Incorrect operand type', one],
  ['attribute_type(n, :a)', 'Invalid attribute type name', text],
  ['attribute_type(n, :a)', 'Incorrect operand type', one],
  ['n = n', 'must be distinct'],
  ['contains(n, n)', 'must be distinct'],
  ['n IN (n, :a)', 'must be distinct', one],
  ['n BETWEEN n AND :a', 'must be distinct', one],
];

const valuesOf = (a?: AttributeValue, b?: AttributeValue) =>
  a && { ExpressionAttributeValues: { ':a': a, ...(b && { ':b': b }) } };

for (const [expression, message, a, b] of REFUSED)
  test(`the condition ${expression} is refused before an item is read: ${message}`, async () => {
    const { client } = await started();
    const conditional = { TableName: TABLE, ConditionExpression: expression, ...valuesOf(a, b) };
    const refused = { name: 'ValidationException', message: expect.stringContaining(message) };
    await expect(client.send(new DeleteItemCommand({ ...conditional, Key: key('x') }))).rejects.toMatchObject(
      refused,
    );
    const filtered = { TableName: TABLE, FilterExpression: expression, ...valuesOf(a, b) };
    await expect(client.send(new ScanCommand(filtered))).rejects.toMatchObject(refused);
  });

test.each([
  '(attribute_exists(n)) AND (attribute_exists(pk))',
  '((attribute_exists(n)) AND (attribute_exists(pk)))',
  'NOT (n <> :a)',
  'size(t) = :a',
  'absent <> absentToo',
  'absent <> :a',
])('the condition %s holds for an item with n = 1 and a text of one character', async (expression) => {
  const { client } = await started();
  await client.send(
    new PutItemCommand({ TableName: TABLE, Item: { ...key('x'), n: { N: '1' }, t: { S: 'é' } } }),
  );
  const values = expression.includes(':a') ? valuesOf(one) : {};
  const request = { TableName: TABLE, Key: key('x'), ConditionExpression: expression, ...values };
  await client.send(new DeleteItemCommand(request));
});

async function withKeysOnlyIndex() {
  const stores = openStores();
  const client = clientOf(stores);
  await stores.tables.run('CreateTable', {
    TableName: TABLE,
    AttributeDefinitions: ['pk', 'colour'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-colour',
        KeySchema: [{ AttributeName: 'colour', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'KEYS_ONLY' },
      },
    ],
  });
  await client.send(
    new PutItemCommand({ TableName: TABLE, Item: { ...key('x'), colour: { S: 'red' }, n: { N: '1' } } }),
  );
  return {
    query: (FilterExpression: string) =>
      client.send(
        new QueryCommand({
          TableName: TABLE,
          IndexName: 'by-colour',
          KeyConditionExpression: 'colour = :red',
          FilterExpression,
          ExpressionAttributeValues: { ':red': { S: 'red' } },
        }),
      ),
    scan: (FilterExpression: string) =>
      client.send(new ScanCommand({ TableName: TABLE, IndexName: 'by-colour', FilterExpression })),
  };
}

test('the filter of a query sees what its index has, and no attribute of the key that it walks', async () => {
  const { query, scan } = await withKeysOnlyIndex();
  expect((await query('attribute_exists(pk)')).Count).toBe(1);
  await expect(query('attribute_exists(colour)')).rejects.toThrow('non-primary key attributes');
  await expect(query('attribute_exists(n)')).rejects.toThrow(
    'does not project one or more filter attributes: [n]',
  );
  // A scan is answered, as if no item had the attribute.
  expect((await scan('attribute_exists(n)')).Count).toBe(0);
  expect((await scan('attribute_exists(colour)')).Count).toBe(1);
});
