import { DeleteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';
import type { Attributes } from './item.ts';

/**
 * Every item under one partition key, in the order of the sort keys; with `skPrefix` those whose sort key begins with it.
 * For a partition that is small by its nature: its items are in one answer, up to 1 MB.
 * @example const all = (await readPartition('batch', 'SHARES')).map(shares.read);
 */
export async function readPartition(service: ServiceName, pk: string, skPrefix = ''): Promise<Attributes[]> {
  const rows: Attributes[] = [];
  let start: Attributes | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await dynamo().send(
      new QueryCommand({
        TableName: tableName(service),
        ConsistentRead: true,
        KeyConditionExpression: skPrefix === '' ? 'pk = :pk' : 'pk = :pk AND begins_with(sk, :prefix)',
        ExpressionAttributeValues: {
          ':pk': { S: pk },
          ...(skPrefix !== '' && { ':prefix': { S: skPrefix } }),
        },
        ExclusiveStartKey: start,
      }),
    );
    rows.push(...Items);
    start = LastEvaluatedKey;
  } while (start);
  return rows;
}

/**
 * The last items under one partition key, in the reverse order of the sort keys.
 * @example const newest = (await readLast('batch', 'BULK', 20)).map(bulks.read);
 */
export async function readLast(service: ServiceName, pk: string, limit: number): Promise<Attributes[]> {
  const { Items = [] } = await dynamo().send(
    new QueryCommand({
      TableName: tableName(service),
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
      ScanIndexForward: false,
      Limit: limit,
    }),
  );
  return Items;
}

// Each deletion is a request of its own; so many at once keep a function busy without delaying others.
const CONCURRENCY = 25;

/**
 * Deletes every item under one partition key: the remains of a deleted resource. It may be repeated. Items that are
 * added meanwhile may stay.
 * @example await clearPartition('documents', `DOCUMENT#${id}`);
 */
export async function clearPartition(service: ServiceName, pk: string): Promise<number> {
  const TableName = tableName(service);
  let deleted = 0;
  for (;;) {
    const { Items = [] } = await dynamo().send(
      new QueryCommand({
        TableName,
        ConsistentRead: true,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { S: pk } },
        Limit: CONCURRENCY,
      }),
    );
    if (Items.length === 0) return deleted;
    const keys = Items.flatMap(({ sk }) => (sk ? [{ pk: { S: pk }, sk }] : []));
    await Promise.all(keys.map((Key) => dynamo().send(new DeleteItemCommand({ TableName, Key }))));
    deleted += Items.length;
  }
}
