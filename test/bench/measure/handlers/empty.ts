import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';

const dynamo = new DynamoDBClient({});

/** What a cold start is measured against: a function that only makes a client. */
export const handler = async () =>
  dynamo.send(new GetItemCommand({ TableName: 't', Key: { pk: { S: 'a' } } }));
