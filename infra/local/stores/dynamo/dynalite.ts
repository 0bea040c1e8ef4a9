// dynalite's parts, typed: its store, its validation of requests, its operations. Its HTTP server is not
// used. An operation gets a store as argument, so it can get one that only records its writes.
import { createRequire } from 'node:module';
import { TABLE_PREFIX } from './keys.ts';

export type Item = Record<string, Record<string, unknown>>;
export type Body = Record<string, unknown>;
export type Write = { type: 'put'; key: string; value: unknown } | { type: 'del'; key: string };

export type IndexDefinition = {
  IndexName: string;
  IndexStatus?: string;
  KeySchema: KeyElement[];
  Projection: { ProjectionType: string; NonKeyAttributes?: string[] };
};
export type KeyElement = { AttributeName: string; KeyType: string };
export type TableDefinition = {
  TableName: string;
  TableStatus: string;
  TableArn?: string;
  KeySchema: KeyElement[];
  AttributeDefinitions: { AttributeName: string; AttributeType: string }[];
  GlobalSecondaryIndexes?: IndexDefinition[];
  LocalSecondaryIndexes?: IndexDefinition[];
};

type Done<T = void> = (error: unknown, value?: T) => void;
export type Section = {
  get(key: string, done: Done<Item>): void;
  put(key: string, value: unknown, done: Done): void;
  del(key: string, done: Done): void;
  lock(key: string, run: (release: (done: Done<Body>) => Done<Body>) => void): void;
};

export type Store = {
  options: Body;
  // A Level database. Values are JSON; a batch is written whole or not at all.
  db: {
    open(): Promise<void>;
    close(): Promise<void>;
    get(key: string): Promise<unknown>;
    batch(writes: Write[]): Promise<void>;
    iterator(range: { gte?: string; lt?: string; valueEncoding?: 'utf8' }): AsyncIterable<[string, unknown]>;
  };
  tableDb: Section;
  getItemDb(table: string): Section;
  getIndexDb(kind: string, table: string, index: string): Section;
  getTable(name: string, done: Done<TableDefinition>): void;
};

type Operation = (store: Store, data: Body, done: Done<Body>) => void;
type Rules = { types: Body; custom?: (data: Body, store: Store) => string | undefined };
type Dynalite = {
  create(options: Body): Store;
  createKey(item: Item, table: TableDefinition): string;
  validateItem(item: Item, table: TableDefinition): DynamoError | undefined;
  validateKey(key: Item, table: TableDefinition): DynamoError | undefined;
  getIndexActions(
    indexes: IndexDefinition[],
    before: Item | null,
    after: Item | null,
    table: TableDefinition,
  ): { puts: { index: string; key: string; item: Item }[] };
  capacityUnits(item: Item | undefined, isRead: boolean): number;
  itemSize(item: Item): number;
};
type Validations = {
  checkTypes(body: Body, types: Body): Body;
  checkValidations(data: Body, types: Body, custom: Rules['custom'], store: Store): void;
};

/** The shape of dynalite's own errors, and of ours. */
export type DynamoError = Error & { statusCode: number; body: Body & { __type: string; message?: string } };

const require = createRequire(import.meta.url);
const dynalite: Dynalite = require('dynalite/db');
const validations: Validations = require('dynalite/validations');

export const lowerFirst = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);
const operations = new Map<string, { run: Operation; rules: Rules }>();
function operation(name: string): { run: Operation; rules: Rules } {
  const known = operations.get(name);
  if (known) return known;
  const file = lowerFirst(name);
  const loaded = { run: require(`dynalite/actions/${file}`), rules: require(`dynalite/validations/${file}`) };
  operations.set(name, loaded);
  return loaded;
}

export const { createKey, validateItem, validateKey, getIndexActions, capacityUnits, itemSize } = dynalite;

/** Without a path the store lives in memory. */
export const createStore = (path?: string): Store =>
  keepTables(dynalite.create({ path, createTableMs: 0, deleteTableMs: 0, updateTableMs: 0 }));

type GetTable = (
  name: string,
  ...rest: [Done<TableDefinition>] | [checksStatus: boolean, Done<TableDefinition>]
) => void;

// dynalite reads and decodes the definition of a table for every item of every request: a fifth of its time. Here a
// definition is kept until any table is written. An operation on tables checks the status, and reads it each time.
function keepTables(store: Store): Store {
  const { getTable, tableDb, db } = store as Store & { getTable: GetTable };
  let known = new Map<string, TableDefinition>();
  const forget = (): void => {
    known = new Map();
  };
  const { put, del } = tableDb;
  const { batch } = db;
  tableDb.put = (...args) => {
    forget();
    put.apply(tableDb, args);
  };
  tableDb.del = (...args) => {
    forget();
    del.apply(tableDb, args);
  };
  db.batch = async (writes) => {
    const hasTable = writes.some(({ key }) => key.startsWith(TABLE_PREFIX));
    if (hasTable) forget();
    await batch.call(db, writes);
    // A reader may have found the old definition meanwhile.
    if (hasTable) forget();
  };
  const read: GetTable = (name, ...rest) => {
    if (rest.length === 2) return getTable.call(store, name, ...rest);
    const [done] = rest;
    const table = known.get(name);
    if (table) return done(null, table);
    const into = known;
    getTable.call(store, name, (error, found) => {
      if (!error && found) into.set(name, found);
      done(error, found);
    });
  };
  return Object.assign(store, { getTable: read });
}

/** Checks a request as DynamoDB does before it looks at any item. Throws a DynamoError. */
export function checkRequest(name: string, body: Body, store: Store): Body {
  const { rules } = operation(name);
  const data = validations.checkTypes({ ...body }, rules.types);
  validations.checkValidations(data, rules.types, rules.custom, store);
  return data;
}

export const run = (name: string, store: Store, data: Body): Promise<Body> =>
  promised<Body>((done) => operation(name).run(store, data, done)).then((answer): Body => answer ?? {});

export const tableOf = async (store: Store, name: string): Promise<TableDefinition> => {
  const table = await promised<TableDefinition>((done) => store.getTable(name, done));
  if (!table) throw new Error(`table ${name} answered nothing`);
  return table;
};

export const itemAt = (store: Store, table: string, key: string): Promise<Item | undefined> =>
  promised((done) => store.getItemDb(table).get(key, done));

const promised = <T>(start: (done: Done<T>) => void) =>
  new Promise<T | undefined>((resolve, reject) => {
    start((error, value) => (error ? reject(error) : resolve(value)));
  });
