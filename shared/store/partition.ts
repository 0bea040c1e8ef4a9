import { DeleteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';

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
