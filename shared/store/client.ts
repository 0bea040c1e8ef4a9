import {
  ConditionalCheckFailedException,
  DynamoDBClient,
  ProvisionedThroughputExceededException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { answeredHere } from '../embedded/provided.ts';
import { withoutLog } from '../net/without-log.ts';

// DynamoDB answers in milliseconds. A request without an answer by now is lost, and is sent again while the function
// that waits for it still has time.
const ANSWER_WITHIN_MS = 8_000;

// The SDK's default of three is over in about 100 ms; throttling of a growing table lasts longer.
const MAX_ATTEMPTS = 5;

/** Those that somebody asks for with instanceof. */
const ERRORS = {
  ConditionalCheckFailedException,
  ProvisionedThroughputExceededException,
  ResourceInUseException,
  ResourceNotFoundException,
  TransactionCanceledException,
  TransactionConflictException,
};

/** Of one request to the store. */
export type RequestOptions = {
  /** Gives the request up, with its repetitions. Whether it was written is not known then. */
  readonly abortSignal?: AbortSignal;
};

let client: DynamoDBClient | undefined;

/**
 * The DynamoDB client of this process, created at first use.
 * @example await dynamo().send(new GetItemCommand({ TableName, Key }));
 */
export function dynamo(): DynamoDBClient {
  client ??= answeredHere(
    'tables',
    withoutLog(
      new DynamoDBClient({
        maxAttempts: MAX_ATTEMPTS,
        requestHandler: { requestTimeout: ANSWER_WITHIN_MS, throwOnRequestTimeout: true },
      }),
    ),
    ERRORS,
  );
  return client;
}
