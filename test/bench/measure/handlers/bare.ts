import { text } from 'node:stream/consumers';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { answeredHere } from '../../../../shared/embedded/provided.ts';
import type { HostEvent } from '../../../../shared/http/call.ts';

const dynamo = answeredHere('tables', new DynamoDBClient({}));

/** As little as a function can do around one conditional write. */
export const handler = async ({ bodyStream }: HostEvent) => {
  const { id } = JSON.parse(bodyStream ? await text(bodyStream) : '{}');
  await dynamo.send(
    new PutItemCommand({
      TableName: process.env.BENCH_TABLE,
      Item: { pk: { S: `BARE#${id}` }, sk: { S: 'BARE' } },
      ConditionExpression: 'attribute_not_exists(never)',
    }),
  );
  return { statusCode: 200, body: JSON.stringify({ id }) };
};
