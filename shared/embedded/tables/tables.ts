import type { Database } from '../database.ts';
import { invalid, tableExists, tableNotFound } from './errors.ts';
import { checkKeyValue, type Item, type Value } from './values.ts';

export type KeyElement = { readonly AttributeName: string; readonly KeyType: 'HASH' | 'RANGE' };
type Projection = { readonly ProjectionType?: string; readonly NonKeyAttributes?: readonly string[] };
type IndexDefinition = {
  readonly IndexName: string;
  readonly KeySchema: readonly KeyElement[];
  readonly Projection?: Projection;
};
type AttributeDefinition = { readonly AttributeName: string; readonly AttributeType: string };

/** What is kept of a table: the request that made it, and its time to live. */
export type Definition = {
  readonly TableName: string;
  readonly AttributeDefinitions: readonly AttributeDefinition[];
  readonly KeySchema: readonly KeyElement[];
  readonly GlobalSecondaryIndexes?: readonly IndexDefinition[];
  readonly CreationDateTime: number;
  /** The attribute that says when an item expires, in seconds. */
  readonly ttl?: string;
};

/** The key of a table or an index: names and types of its attributes. */
export type KeySchema = { readonly hash: AttributeDefinition; readonly range?: AttributeDefinition };
export type Index = KeySchema & {
  readonly name: string;
  readonly sql: string;
  readonly insertSql: string;
  readonly removeSql: string;
  readonly projection: Projection;
};
export type Table = KeySchema & {
  readonly id: number;
  readonly name: string;
  readonly definition: Definition;
  /** The names of its key's attributes. */
  readonly keyNames: readonly string[];
  readonly indexes: readonly Index[];
  /** The attributes of the keys of its indexes, each once. */
  readonly indexed: readonly AttributeDefinition[];
  readonly sql: {
    readonly read: string;
    readonly insert: string;
    readonly replace: string;
    readonly remove: string;
  };
};

/** The SQL name of a table's items and of an index. */
export const itemsSql = (id: number): string => `items_${id}`;
const indexSql = (id: number, position: number): string => `index_${id}_${position}`;

/** There is one account here, and one region. */
export const tableArn = (name: string): string => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;

export type Tables = ReturnType<typeof createTables>;

/** The tables of a database. Other processes may create and change them: what is known is read again after their commits. */
export function createTables(database: Database) {
  type Known = { readonly table: Table; readonly text: string; version: string };
  const known = new Map<string, Known>();

  const find = (name: string): Table => {
    const version = database.version();
    const kept = known.get(name);
    return kept?.version === version ? kept.table : read(name, version, kept);
  };

  const read = (name: string, version: string, kept: Known | undefined): Table => {
    const row = database.get('SELECT id, definition FROM tables WHERE name = ?', name);
    if (!row) {
      known.delete(name);
      throw tableNotFound(name);
    }
    const text = String(row.definition);
    const isSame = kept?.table.id === row.id && kept?.text === text;
    const table = isSame ? kept.table : tableOf(Number(row.id), JSON.parse(text));
    known.set(name, { table, text, version });
    return table;
  };

  const save = (table: Definition): void => {
    database.run('UPDATE tables SET definition = ? WHERE name = ?', JSON.stringify(table), table.TableName);
    known.delete(table.TableName);
  };

  return {
    find,
    names: (): string[] =>
      [...database.each('SELECT name FROM tables ORDER BY name')].map(({ name }) => String(name)),

    create(definition: Definition): Table {
      if (database.get('SELECT id FROM tables WHERE name = ?', definition.TableName))
        throw tableExists(definition.TableName);
      checkDefinition(definition);
      database.run(
        'INSERT INTO tables (name, definition) VALUES (?, ?)',
        definition.TableName,
        JSON.stringify(definition),
      );
      const table = find(definition.TableName);
      // When an item expires and whether it is held stand beside it, so that such items are found without the others.
      database.run(
        `CREATE TABLE ${itemsSql(table.id)} (hash ANY NOT NULL, range ANY NOT NULL, item TEXT NOT NULL, expires INTEGER, held INTEGER, PRIMARY KEY (hash, range)) STRICT, WITHOUT ROWID`,
      );
      database.run(
        `CREATE INDEX ${itemsSql(table.id)}_expires ON ${itemsSql(table.id)} (expires) WHERE expires IS NOT NULL`,
      );
      database.run(
        `CREATE INDEX ${itemsSql(table.id)}_held ON ${itemsSql(table.id)} (held) WHERE held IS NOT NULL`,
      );
      for (const { sql } of table.indexes) createIndex(database, sql);
      return table;
    },

    remove(name: string): Table {
      const table = find(name);
      for (const { sql } of table.indexes) database.run(`DROP TABLE ${sql}`);
      database.run(`DROP TABLE ${itemsSql(table.id)}`);
      database.run('DELETE FROM tables WHERE id = ?', table.id);
      known.delete(name);
      return table;
    },

    /** Adds indexes, which are empty. Gives the table as it is then. */
    addIndexes(
      table: Table,
      added: readonly IndexDefinition[],
      attributes?: readonly AttributeDefinition[],
    ): Table {
      const before = table.definition.GlobalSecondaryIndexes ?? [];
      for (const { IndexName } of added)
        if (before.some((index) => index.IndexName === IndexName))
          throw invalid(`Attempting to create an index which already exists: ${IndexName}`);
      const definition = {
        ...table.definition,
        AttributeDefinitions: attributes ?? table.definition.AttributeDefinitions,
        GlobalSecondaryIndexes: [...before, ...added],
      };
      checkDefinition(definition);
      save(definition);
      const changed = find(table.name);
      for (const { sql } of changed.indexes.slice(before.length)) createIndex(database, sql);
      return changed;
    },

    setTimeToLive: (table: Table, attribute: string | undefined): void => {
      const { ttl: _, ...definition } = table.definition;
      save(attribute === undefined ? definition : { ...definition, ttl: attribute });
    },
  };
}

const createIndex = (database: Database, sql: string): void =>
  database.run(
    `CREATE TABLE ${sql} (hash ANY NOT NULL, range ANY NOT NULL, itemHash ANY NOT NULL, itemRange ANY NOT NULL, PRIMARY KEY (hash, range, itemHash, itemRange)) STRICT, WITHOUT ROWID`,
  );

function tableOf(id: number, definition: Definition): Table {
  const key = keySchemaOf(definition, definition.KeySchema);
  return {
    ...key,
    id,
    name: definition.TableName,
    definition,
    keyNames: definition.KeySchema.map(({ AttributeName }) => AttributeName),
    indexed: definition.AttributeDefinitions.filter(({ AttributeName }) =>
      (definition.GlobalSecondaryIndexes ?? []).some((index) =>
        index.KeySchema.some((element) => element.AttributeName === AttributeName),
      ),
    ),
    sql: {
      read: `SELECT item FROM ${itemsSql(id)} WHERE hash = ? AND range = ?`,
      insert: `INSERT INTO ${itemsSql(id)} (item, expires, held, hash, range) VALUES (?, ?, ?, ?, ?)`,
      replace: `UPDATE ${itemsSql(id)} SET item = ?, expires = ?, held = ? WHERE hash = ? AND range = ?`,
      remove: `DELETE FROM ${itemsSql(id)} WHERE hash = ? AND range = ?`,
    },
    indexes: (definition.GlobalSecondaryIndexes ?? []).map((index, position) => ({
      ...keySchemaOf(definition, index.KeySchema),
      name: index.IndexName,
      sql: indexSql(id, position),
      insertSql: `INSERT INTO ${indexSql(id, position)} VALUES (?, ?, ?, ?)`,
      removeSql: `DELETE FROM ${indexSql(id, position)} WHERE hash = ? AND range = ? AND itemHash = ? AND itemRange = ?`,
      projection: index.Projection ?? {},
    })),
  };
}

function keySchemaOf({ AttributeDefinitions }: Definition, schema: readonly KeyElement[]): KeySchema {
  const attribute = (type: KeyElement['KeyType']): AttributeDefinition | undefined => {
    const element = schema.find(({ KeyType }) => KeyType === type);
    return (
      element && AttributeDefinitions.find(({ AttributeName }) => AttributeName === element.AttributeName)
    );
  };
  const [hash, range] = [attribute('HASH'), attribute('RANGE')];
  if (!hash) throw invalid('Invalid KeySchema: The first KeySchemaElement is not a HASH key type');
  return { hash, ...(range && { range }) };
}

function checkDefinition(definition: Definition): void {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes = [] } = definition;
  const named = new Set(
    [KeySchema, ...GlobalSecondaryIndexes.map((index) => index.KeySchema)]
      .flat()
      .map(({ AttributeName }) => AttributeName),
  );
  const defined = AttributeDefinitions.map(({ AttributeName }) => AttributeName);
  if (named.size !== defined.length || defined.some((name) => !named.has(name)))
    throw invalid(
      'One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions, or some definitions are not used.',
    );
}

/** Refuses a key that is not the table's, attribute by attribute. */
export function checkKey({ hash, range, keyNames }: Table, key: Item): void {
  if (Object.keys(key).length !== keyNames.length || keyNames.some((name) => !Object.hasOwn(key, name)))
    throw invalid('The provided key element does not match the schema');
  checkKeyAttributes({ hash, ...(range && { range }) }, key);
}

export function checkKeyAttributes({ hash, range }: KeySchema, item: Item): void {
  checkKeyValue(hash.AttributeName, item[hash.AttributeName], hash.AttributeType, true);
  if (range) checkKeyValue(range.AttributeName, item[range.AttributeName], range.AttributeType, false);
}

/** The attributes of an item that make a key. */
export const keyOf = ({ hash, range }: KeySchema, item: Item): Item => ({
  [hash.AttributeName]: item[hash.AttributeName] as Value,
  ...(range && { [range.AttributeName]: item[range.AttributeName] as Value }),
});
