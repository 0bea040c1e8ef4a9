import { DynamoDBClient } from '@aws-sdk/client-dynamodb';

// DynamoDB answers in milliseconds. A request with no answer by now is lost, and is tried again
// while the function that waits for it still has time.
const ANSWER_WITHIN_MS = 8_000;

// The SDK's own three are over in about 100 ms; throttling of a table that is growing lasts longer.
const ATTEMPTS = 5;

let client: DynamoDBClient | undefined;

/**
 * The DynamoDB client of this process, made when first asked for.
 * @example await dynamo().send(new GetItemCommand({ TableName, Key }));
 */
export function dynamo(): DynamoDBClient {
  client ??= new DynamoDBClient({
    maxAttempts: ATTEMPTS,
    requestHandler: { requestTimeout: ANSWER_WITHIN_MS, throwOnRequestTimeout: true },
  });
  return client;
}
