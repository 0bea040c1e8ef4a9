import {
  type AttributeValue,
  CreateTableCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { onTestFinished } from 'vitest';
import { answeredBy } from '../../../../shared/embedded/provided.ts';
import { openStores, type Stores, type StoresOptions } from '../../../../shared/embedded/stores.ts';

export type Item = Record<string, AttributeValue>;
export const TABLE = 'things';

export const clientOf = ({ tables }: Stores) =>
  answeredBy(() => tables, new DynamoDBClient({ region: 'us-east-1', maxAttempts: 1 }));

export const THINGS = {
  TableName: TABLE,
  BillingMode: 'PAY_PER_REQUEST' as const,
  AttributeDefinitions: ['pk', 'duePk'].map((AttributeName) => ({
    AttributeName,
    AttributeType: 'S' as const,
  })),
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' as const }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'due',
      KeySchema: [{ AttributeName: 'duePk', KeyType: 'HASH' as const }],
      Projection: { ProjectionType: 'ALL' as const },
    },
  ],
};
export const createThings = (client: DynamoDBClient) => client.send(new CreateTableCommand(THINGS));

/** A store of its own for one test, with one table. */
export async function started(options: StoresOptions = {}) {
  const stores = openStores(options);
  onTestFinished(stores.close);
  const client = clientOf(stores);
  await createThings(client);
  return { client, tables: stores.tables, ...shorthands(client) };
}

export const shorthands = (client: DynamoDBClient) => ({
  get: async (pk: string): Promise<Item | undefined> =>
    (await client.send(new GetItemCommand({ TableName: TABLE, Key: key(pk), ConsistentRead: true }))).Item,
  due: async (duePk: string): Promise<Item[]> => {
    const found = await client.send(
      new QueryCommand({
        TableName: TABLE,
        IndexName: 'due',
        KeyConditionExpression: 'duePk = :due',
        ExpressionAttributeValues: { ':due': { S: duePk } },
      }),
    );
    return found.Items ?? [];
  },
  transact: (items: TransactWriteItem[], ClientRequestToken?: string) =>
    client.send(new TransactWriteItemsCommand({ TransactItems: items, ClientRequestToken })),
});

export const key = (pk: string): Item => ({ pk: { S: pk } });
export const put = (pk: string, more: Item = {}) => ({
  Put: { TableName: TABLE, Item: { ...key(pk), ...more } },
});
export const putNew = (pk: string, more: Item = {}) => ({
  Put: { ...put(pk, more).Put, ConditionExpression: 'attribute_not_exists(pk)' },
});
