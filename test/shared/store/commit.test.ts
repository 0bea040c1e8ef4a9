import {
  DynamoDBClient,
  TransactionCanceledException,
  TransactionConflictException,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, afterEach, expect, test } from 'vitest';
import { commit } from '../../../shared/store/commit.ts';
import { keyedItems } from '../../../shared/store/keyed-items.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { jobs, newJob } from './jobs.ts';

// What the embedded tables answer by chance only, or never.
const store = mockClient(DynamoDBClient);
afterEach(() => store.reset());
afterAll(() => store.restore());

const canceled = (...codes: string[]) =>
  new TransactionCanceledException({
    message: 'Transaction cancelled',
    $metadata: {},
    CancellationReasons: codes.map((Code) => ({ Code })),
  });
const two = () => [jobs.creating(newJob()), jobs.creating(newJob())];

test('transactions that meet on an item are sent again', async () => {
  store
    .on(TransactWriteItemsCommand)
    .rejectsOnce(canceled('TransactionConflict', 'None'))
    .rejectsOnce(canceled('None', 'ThrottlingError'))
    .resolves({});
  await commit(two());
  expect(store.commandCalls(TransactWriteItemsCommand)).toHaveLength(3);
});

test('a plain write that meets a transaction is sent again', async () => {
  const met = new TransactionConflictException({
    message: 'Transaction is ongoing for the item',
    $metadata: {},
  });
  store
    .on(UpdateItemCommand)
    .rejectsOnce(met)
    .resolves({ Attributes: { total: { N: '4' } } });
  const totals = keyedItems<{ total: number }, string>({
    service: 'sandbox',
    key: (id) => ({ pk: id, sk: id }),
  });
  expect(await totals.patch('y', { total: 4 })).toEqual({ total: 4 });
});

test('a condition that failed is not tried again, not even beside a conflict', async () => {
  store.on(TransactWriteItemsCommand).rejects(canceled('TransactionConflict', 'ConditionalCheckFailed'));
  const current = { ...newJob(), version: 'v' };
  await expect(commit([jobs.creating(newJob()), jobs.changing(current, {})])).rejects.toThrow(RaceLost);
  expect(store.commandCalls(TransactWriteItemsCommand)).toHaveLength(1);
});

test('a crowd that does not disperse is not mistaken for a lost race', async () => {
  store.on(TransactWriteItemsCommand).rejects(canceled('TransactionConflict', 'None'));
  await expect(commit(two())).rejects.toThrow(TransactionCanceledException);
  expect(store.commandCalls(TransactWriteItemsCommand)).toHaveLength(8);
});

test('a write that DynamoDB finds malformed is not tried again', async () => {
  store.on(TransactWriteItemsCommand).rejects(canceled('ValidationError', 'TransactionConflict'));
  await expect(commit(two())).rejects.toThrow(TransactionCanceledException);
  expect(store.commandCalls(TransactWriteItemsCommand)).toHaveLength(1);
});

test('nothing to write sends nothing', async () => {
  await commit([]);
  expect(store.calls()).toHaveLength(0);
});
