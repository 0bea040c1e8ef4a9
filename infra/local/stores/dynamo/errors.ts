import type { Body, DynamoError } from './dynalite.ts';

const SERVICE = 'com.amazonaws.dynamodb.v20120810#';
const PROTOCOL = 'com.amazon.coral.service#';
const VALIDATION = 'com.amazon.coral.validate#ValidationException';

const CONDITION_FAILED = `${SERVICE}ConditionalCheckFailedException`;
const CONFLICT = `${SERVICE}TransactionConflictException`;
const THROTTLED = `${SERVICE}ProvisionedThroughputExceededException`;

function refusal(type: string, message: string, extra: Body = {}): DynamoError {
  const body = { __type: type, message, ...extra };
  return Object.assign(new Error(message), { statusCode: 400, body });
}

export const invalid = (message: string) => refusal(VALIDATION, message);
export const canceled = (reasons: (Body & { Code: string })[]) =>
  refusal(
    `${SERVICE}TransactionCanceledException`,
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  );
export const transactionConflict = () => refusal(CONFLICT, 'Transaction is ongoing for the item');
export const transactionInProgress = () =>
  refusal(
    `${SERVICE}TransactionInProgressException`,
    'The transaction with the given request token is already in progress.',
  );
export const throughputExceeded = () =>
  refusal(
    THROTTLED,
    'The level of configured provisioned throughput for the table or index was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
  );
export const tokenReused = () =>
  refusal(
    `${SERVICE}IdempotentParameterMismatchException`,
    'A different request was already made with this ClientRequestToken. Send a new token with a new request.',
  );
export const unknownOperation = () =>
  refusal(`${PROTOCOL}UnknownOperationException`, 'This operation is not part of the local DynamoDB.');
export const notJson = () => refusal(`${PROTOCOL}SerializationException`, 'The request is not JSON.');

export const isDynamoError = (error: unknown): error is DynamoError =>
  error instanceof Error && 'body' in error && 'statusCode' in error;
export const isConditionFailure = (error: unknown): error is DynamoError =>
  isDynamoError(error) && error.body.__type === CONDITION_FAILED;
export const isInvalid = (error: unknown): error is DynamoError =>
  isDynamoError(error) && error.body.__type === VALIDATION;
export const isThrottled = (error: unknown): error is DynamoError =>
  isDynamoError(error) && error.body.__type === THROTTLED;
/** Refused for now, by a transaction that has the item or by the limit of its partition key. */
export const isTransient = (error: unknown): error is DynamoError =>
  isThrottled(error) || (isDynamoError(error) && error.body.__type === CONFLICT);
