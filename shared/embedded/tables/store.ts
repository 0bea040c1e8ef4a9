// The DynamoDB commands that Sinete uses, on SQLite in the process that calls them.
import type { Database } from '../database.ts';
import { StoreError } from '../errors.ts';
import { invalid, isThrottled, isTransient } from './errors.ts';
import { createExports } from './exports.ts';
import { findHeld, type Held } from './held.ts';
import { fillIndexes } from './items.ts';
import { createReads } from './reads.ts';
import { onlyKnown, type Request } from './request.ts';
import { type Counts, type Guard, type Hold, holdAsAws, newCounts, noGuard, strictGuard } from './strict.ts';
import { createTables, type Definition, type Table, type Tables, tableArn } from './tables.ts';
import { createTimeToLive } from './time-to-live.ts';
import { createTransactions } from './transactions.ts';
import { type Item, withBytes } from './values.ts';
import type { PutObject } from './write-export.ts';
import { changeBy, draftWrite, makeChange, type WriteKind } from './writes.ts';

const MAX_BATCH_WRITES = 25;
const IGNORED = [
  'BillingMode',
  'ProvisionedThroughput',
  'SSESpecification',
  'Tags',
  'DeletionProtectionEnabled',
];
const CREATE = ['TableName', 'AttributeDefinitions', 'KeySchema', 'GlobalSecondaryIndexes', ...IGNORED];

/** Behaves like DynamoDB under load: cancels transactions that meet, and throttles partition keys. */
export type Strict = { readonly hold?: Hold };

export type TableStore = {
  /** Runs a command by its name. @example await run('GetItem', { TableName, Key }) */
  readonly run: (operation: string, request: Request) => Promise<object>;
  /** Counted only in strict mode. */
  readonly counts: Counts;
  /** Deletes expired items, and gives the space of all deleted ones back to the disk. */
  readonly collectExpired: () => Promise<number>;
  /** The leases and semaphores that are held now. */
  readonly findHeld: () => Held[];
  /** Why it takes no writes now, or takes none soon. */
  readonly problem: () => Promise<string | undefined>;
};

type TableStoreOptions = {
  readonly now: () => number;
  readonly strict: Strict | undefined;
  /** Where exports go. Without it tables cannot be exported. */
  readonly putObject?: PutObject;
};

/** The tables of a database. */
export function createTableStore(
  database: Database,
  { now, strict, putObject }: TableStoreOptions,
): TableStore {
  const tables = createTables(database);
  const counts = newCounts();
  const guard: Guard = strict ? strictGuard(counts, strict.hold ?? holdAsAws, now) : noGuard;
  const reads = createReads(database, tables);
  const transactions = createTransactions(database, tables, reads, guard, now);
  const timeToLive = createTimeToLive(database, tables, now);

  const write = (kind: WriteKind) => async (request: Request) => {
    const planned = draftWrite(tables, kind, request)();
    return guard.write(planned, () =>
      database.commit(() => {
        const change = changeBy(database, tables, planned);
        guard.take('writes', [change]);
        return makeChange(database, change);
      }),
    );
  };

  // A commit waits for the disk by itself, refused writes included.
  const read = (find: (request: Request) => object) => (request: Request) =>
    database.answer(async () => find(request));

  const operations: Record<string, (request: Request) => Promise<object>> = {
    GetItem: read(reads.getItem),
    BatchGetItem: read(reads.batchGet),
    Query: read(reads.query),
    Scan: read(reads.scan),
    PutItem: write('Put'),
    UpdateItem: write('Update'),
    DeleteItem: write('Delete'),
    BatchWriteItem: (request) => writeBatch(tables, request, (kind, single) => write(kind)(single)),
    TransactWriteItems: transactions.transactWrite,
    TransactGetItems: read(transactions.transactGet),
    CreateTable: (request) =>
      database.commit(() => {
        onlyKnown(request, CREATE);
        const { TableName, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = request as Definition &
          Request;
        const kept = {
          TableName,
          AttributeDefinitions,
          KeySchema,
          GlobalSecondaryIndexes,
          CreationDateTime: now() / 1_000,
        };
        return {
          TableDescription: { ...describe(tables.create(kept as Definition)), TableStatus: 'CREATING' },
        };
      }),
    UpdateTable: (request) =>
      database.commit(() => {
        const table = tables.find(String(request.TableName));
        const changed = addIndexes(tables, table, request);
        fillIndexes(database, changed, changed.indexes.slice(table.indexes.length));
        return { TableDescription: { ...describe(changed), TableStatus: 'UPDATING' } };
      }),
    DeleteTable: (request) =>
      database.commit(() => ({
        TableDescription: { ...describe(tables.remove(String(request.TableName))), TableStatus: 'DELETING' },
      })),
    DescribeTable: async (request) => ({ Table: describe(tables.find(String(request.TableName))) }),
    ListTables: async () => ({ TableNames: tables.names() }),
    UpdateTimeToLive: timeToLive.update,
    DescribeTimeToLive: timeToLive.describe,
    ...(putObject && createExports({ database, tables, putObject, now })),
  };

  return {
    counts,
    problem: database.problem,
    findHeld: () => findHeld(database, tables),
    run: async (operation, request) => {
      const known = Object.hasOwn(operations, operation) ? operations[operation] : undefined;
      if (!known)
        throw new StoreError(
          'UnknownOperationException',
          `The embedded store does not implement ${operation}.`,
        );
      try {
        return await known(request);
      } catch (error) {
        if (error instanceof StoreError) withBytes(error.more);
        throw error;
      }
    },
    collectExpired: async () => {
      transactions.forgetTokens();
      return timeToLive.collect();
    },
  };
}

function addIndexes(tables: Tables, table: Table, request: Request): Table {
  type Added = NonNullable<Definition['GlobalSecondaryIndexes']>[number];
  const updates = (request.GlobalSecondaryIndexUpdates ?? []) as { Create?: Added }[];
  const created = updates.flatMap(({ Create }) => (Create ? [Create] : []));
  if (created.length === 0 || created.length < updates.length)
    throw invalid(
      'The embedded store implements of UpdateTable only the creation of global secondary indexes.',
    );
  return tables.addIndexes(
    table,
    created,
    request.AttributeDefinitions as Definition['AttributeDefinitions'],
  );
}

function describe({ definition, id }: Table): object {
  const { ttl: _, GlobalSecondaryIndexes, ...rest } = definition;
  const TableArn = tableArn(definition.TableName);
  return {
    ...rest,
    TableId: String(id),
    TableArn,
    TableStatus: 'ACTIVE',
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
    ...(GlobalSecondaryIndexes && {
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.map((index) => ({
        ...index,
        IndexStatus: 'ACTIVE',
        IndexArn: `${TableArn}/index/${index.IndexName}`,
      })),
    }),
  };
}

type BatchRequest = {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
};

/**
 * BatchWriteItem, each item by itself. One that a transaction has, or whose partition key has no write units left, is
 * unprocessed. When every item is throttled, so is the request.
 */
async function writeBatch(
  tables: Tables,
  request: Request,
  write: (kind: WriteKind, single: Request) => Promise<object>,
): Promise<object> {
  onlyKnown(request, ['RequestItems']);
  const wanted = Object.entries(request.RequestItems as Record<string, BatchRequest[]>).flatMap(
    ([table, requests]) => requests.map((one) => ({ table, one, ...asSingle(table, one) })),
  );
  if (wanted.length > MAX_BATCH_WRITES || wanted.length === 0)
    throw invalid('Too many items requested for the BatchWriteItem call, or none');
  // A wrong key refuses the whole batch.
  const ids = wanted.map(({ kind, single }) => draftWrite(tables, kind, single)().id);
  if (new Set(ids).size < ids.length) throw invalid('Provided list of item keys contains duplicates');
  const UnprocessedItems: Record<string, BatchRequest[]> = {};
  const failures = await Promise.all(
    wanted.map(async ({ table, one, kind, single }) => {
      const failure = await write(kind, single).catch((error: unknown) => error);
      if (!(failure instanceof Error)) return undefined;
      if (!isTransient(failure)) throw failure;
      UnprocessedItems[table] = [...(UnprocessedItems[table] ?? []), one];
      return failure;
    }),
  );
  if (failures.every(isThrottled)) throw failures[0];
  return { UnprocessedItems };
}

const asSingle = (
  TableName: string,
  { PutRequest, DeleteRequest }: BatchRequest,
): { kind: WriteKind; single: Request } =>
  PutRequest
    ? { kind: 'Put', single: { TableName, Item: PutRequest.Item } }
    : { kind: 'Delete', single: { TableName, Key: DeleteRequest?.Key } };
