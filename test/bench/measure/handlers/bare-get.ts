import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { answeredHere } from '../../../../shared/embedded/provided.ts';

const dynamo = answeredHere('tables', new DynamoDBClient({}));

/** As little as a function can do around one read. */
export const handler = async () => {
  const { Item } = await dynamo.send(
    new GetItemCommand({
      TableName: process.env.BENCH_TABLE,
      Key: { pk: { S: 'SESSION#none' }, sk: { S: 'SESSION' } },
      ConsistentRead: true,
    }),
  );
  return { statusCode: 200, body: JSON.stringify({ active: Item !== undefined }) };
};
