import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { answeredHere } from '../../../../shared/embedded/provided.ts';

const dynamo = answeredHere('tables', new DynamoDBClient({}));

/** As little as a function can do around one conditional write. */
export const handler = async (event: APIGatewayProxyEvent) => {
  const { id } = JSON.parse(event.body ?? '{}');
  await dynamo.send(
    new PutItemCommand({
      TableName: process.env.BENCH_TABLE,
      Item: { pk: { S: `BARE#${id}` }, sk: { S: 'BARE' } },
      ConditionExpression: 'attribute_not_exists(never)',
    }),
  );
  return { statusCode: 200, body: JSON.stringify({ id }) };
};
