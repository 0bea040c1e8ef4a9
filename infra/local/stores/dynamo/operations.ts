import { awsLock, type Hold, holdAsAws } from './aws-lock.ts';
import { writeEach } from './batch.ts';
import { newCounts } from './counts.ts';
import { type Body, checkRequest, run, type Store } from './dynalite.ts';
import { createLock } from './lock.ts';
import { createTables } from './tables.ts';
import { createThroughput, unlimited } from './throughput.ts';
import { createTimeToLive } from './time-to-live.ts';
import { createTransactions } from './transactions.ts';
import { createWrites } from './writes.ts';

export type Operations = Record<string, (body: Body) => Promise<Body>>;

/** How DynamoDB behaves under load. The defaults are those of AWS. */
export type AwsOptions = {
  hold?: Hold;
};

/** All operations of the server, on one store. Without `aws`, writes that meet wait, and no write is too many. */
export function createOperations(store: Store, now: () => number, aws?: AwsOptions) {
  const counts = newCounts();
  const lock = aws ? awsLock(createLock(), counts, aws.hold ?? holdAsAws) : createLock();
  const throughput = aws ? createThroughput(store, counts, now) : unlimited;
  const tables = createTables(store, lock.alone);
  const writes = createWrites(store, lock, throughput);
  const { transactGet, transactWrite } = createTransactions(store, lock, throughput, writes, now);
  const timeToLive = createTimeToLive(store, writes, now);
  const plain = (name: string) => (body: Body) => run(name, store, checkRequest(name, body, store));
  const single = (name: string) => (body: Body) => writes.single(name, body);

  const operations: Operations = {
    GetItem: plain('GetItem'),
    Query: plain('Query'),
    Scan: plain('Scan'),
    BatchGetItem: plain('BatchGetItem'),
    PutItem: single('PutItem'),
    UpdateItem: single('UpdateItem'),
    DeleteItem: single('DeleteItem'),
    BatchWriteItem: aws ? writeEach(store, writes) : writes.batch,
    TransactGetItems: transactGet,
    TransactWriteItems: transactWrite,
    CreateTable: tables.create,
    UpdateTable: tables.update,
    DeleteTable: tables.remove,
    DescribeTable: plain('DescribeTable'),
    ListTables: plain('ListTables'),
    UpdateTimeToLive: timeToLive.update,
    DescribeTimeToLive: timeToLive.describe,
  };
  return { operations, counts, collectExpired: timeToLive.collect };
}
