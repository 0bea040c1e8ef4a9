import { StoreError } from '../errors.ts';

/** A cancellation reason, at the place of its item in the request. */
export type Reason = { readonly Code: string; readonly Message?: string; readonly Item?: unknown };

export const invalid = (message: string): StoreError => new StoreError('ValidationException', message);

export const isInvalid = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.name === 'ValidationException';

export const conditionFailed = (Item?: unknown): StoreError =>
  new StoreError('ConditionalCheckFailedException', 'The conditional request failed', Item ? { Item } : {});

export const isConditionFailure = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.name === 'ConditionalCheckFailedException';

export const tableNotFound = (name: string): StoreError =>
  new StoreError('ResourceNotFoundException', `Requested resource not found: Table: ${name} not found`);

export const tableExists = (name: string): StoreError =>
  new StoreError('ResourceInUseException', `Table already exists: ${name}`);

export const canceled = (reasons: Reason[]): StoreError =>
  new StoreError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${reasons.map(({ Code }) => Code).join(', ')}]`,
    { CancellationReasons: reasons },
  );

export const transactionConflict = (): StoreError =>
  new StoreError('TransactionConflictException', 'Transaction is ongoing for the item');

export const transactionInProgress = (): StoreError =>
  new StoreError(
    'TransactionInProgressException',
    'The transaction with the given request token is already in progress.',
  );

export const tokenReused = (): StoreError =>
  new StoreError(
    'IdempotentParameterMismatchException',
    'A different request was already made with this ClientRequestToken. Send a new token with a new request.',
  );

export const throughputExceeded = (): StoreError =>
  new StoreError(
    'ProvisionedThroughputExceededException',
    'The level of configured provisioned throughput for the table or index was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
  );

/** Refused for now: by a transaction that has the item, or by the limit of its partition key. */
export const isTransient = (error: unknown): error is StoreError =>
  isThrottled(error) || (error instanceof StoreError && error.name === 'TransactionConflictException');

export const isThrottled = (error: unknown): error is StoreError =>
  error instanceof StoreError && error.name === 'ProvisionedThroughputExceededException';
