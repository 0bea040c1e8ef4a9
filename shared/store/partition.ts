import { DeleteItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { type ServiceName, tableName } from '../settings/names.ts';
import { dynamo } from './client.ts';

// Each deletion is a request of its own; this many of them keep a function busy and nobody waiting.
const DELETED_AT_ONCE = 25;

/**
 * Deletes every item under one partition key, whatever it is: what is left of a thing that is gone.
 * It may be repeated; what is added meanwhile may stay.
 * @example await emptyPartition('documents', `DOCUMENT#${id}`);
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
        Limit: DELETED_AT_ONCE,
      }),
    );
    if (Items.length === 0) return deleted;
    const keys = Items.flatMap(({ sk }) => (sk ? [{ pk: { S: pk }, sk }] : []));
    await Promise.all(keys.map((Key) => dynamo().send(new DeleteItemCommand({ TableName, Key }))));
    deleted += Items.length;
  }
}
