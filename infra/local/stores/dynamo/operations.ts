import { type Body, checkRequest, run, type Store } from './dynalite.ts';
import { createLock } from './lock.ts';
import { createTables } from './tables.ts';
import { createTimeToLive } from './time-to-live.ts';
import { createTransactions } from './transactions.ts';
import { createWrites } from './writes.ts';

export type Operations = Record<string, (body: Body) => Promise<Body>>;

/** All operations of the server, on one store. */
export function createOperations(store: Store, now: () => number) {
  const { holding, alone } = createLock();
  const tables = createTables(store, alone);
  const writes = createWrites(store, holding);
  const { transactGet, transactWrite } = createTransactions(store, holding, writes, now);
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
    BatchWriteItem: writes.batch,
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
  return { operations, collectExpired: timeToLive.collect };
}
