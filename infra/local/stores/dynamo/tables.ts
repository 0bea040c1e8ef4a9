// A table is created, changed or deleted in one batch, so a killed process leaves none half made.
import {
  type Body,
  checkRequest,
  getIndexActions,
  type IndexDefinition,
  type Item,
  run,
  type Store,
  type TableDefinition,
  tableOf,
  type Write,
} from './dynalite.ts';
import { invalid } from './errors.ts';
import { EXPIRY_PREFIX, indexPrefix, itemPrefix, tableKey, within } from './keys.ts';
import type { Alone } from './lock.ts';

export function createTables(store: Store, alone: Alone) {
  // dynalite writes a table twice, at first as one that is still being created. Written once, as active, it
  // cannot be left in between. The answer says CREATING all the same, as DynamoDB's does.
  function create(body: Body): Promise<Body> {
    let written = false;
    const put: Store['tableDb']['put'] = (name, table, done) => {
      if (written) return done(null);
      written = true;
      store.tableDb.put(name, activated(table as TableDefinition), done);
    };
    const once = { ...store, tableDb: { ...store.tableDb, put } };
    return run('CreateTable', once, checkRequest('CreateTable', body, store));
  }

  const remove = (body: Body) =>
    alone(async () => {
      const table = await tableOf(store, String(checkRequest('DeleteTable', body, store).TableName));
      const { TableName: name, GlobalSecondaryIndexes = [], LocalSecondaryIndexes = [] } = table;
      const prefixes = [
        itemPrefix(name),
        ...GlobalSecondaryIndexes.map(({ IndexName }) => indexPrefix('Global', name, IndexName)),
        ...LocalSecondaryIndexes.map(({ IndexName }) => indexPrefix('Local', name, IndexName)),
      ];
      const writes: Write[] = [tableKey(name), EXPIRY_PREFIX + name].map((key) => ({ type: 'del', key }));
      for (const prefix of prefixes) {
        for await (const [key] of store.db.iterator(within(prefix))) writes.push({ type: 'del', key });
      }
      await store.db.batch(writes);
      return { TableDescription: { ...table, TableStatus: 'DELETING' } };
    });

  // dynalite cannot add an index to a table that is there. Of what UpdateTable does, this is what is needed.
  const update = (body: Body) =>
    alone(async () => {
      const table = await tableOf(store, String(body.TableName));
      const added = addedIndexes(body, table);
      const changed = {
        ...table,
        AttributeDefinitions: (body.AttributeDefinitions as Definitions) ?? table.AttributeDefinitions,
        GlobalSecondaryIndexes: [...(table.GlobalSecondaryIndexes ?? []), ...added],
      };
      const writes: Write[] = [{ type: 'put', key: tableKey(table.TableName), value: changed }];
      for await (const [, item] of store.db.iterator(within(itemPrefix(table.TableName)))) {
        writes.push(...indexEntries(changed, added, item as Item));
      }
      await store.db.batch(writes);
      return { TableDescription: { ...changed, TableStatus: 'UPDATING' } };
    });

  return { create, remove, update };
}

type Definitions = TableDefinition['AttributeDefinitions'];

const activated = (table: TableDefinition): TableDefinition => ({
  ...table,
  TableStatus: 'ACTIVE',
  ...(table.GlobalSecondaryIndexes && {
    GlobalSecondaryIndexes: table.GlobalSecondaryIndexes.map(activeIndex),
  }),
});
const activeIndex = (index: IndexDefinition): IndexDefinition => ({ ...index, IndexStatus: 'ACTIVE' });

function addedIndexes(body: Body, table: TableDefinition): IndexDefinition[] {
  const updates = (body.GlobalSecondaryIndexUpdates ?? []) as { Create?: IndexDefinition }[];
  const created = updates.flatMap(({ Create }) => (Create ? [Create] : []));
  if (created.length === 0 || created.length < updates.length) {
    throw invalid('UpdateTable can only add global secondary indexes here');
  }
  for (const { IndexName } of created) {
    if (table.GlobalSecondaryIndexes?.some((index) => index.IndexName === IndexName)) {
      throw invalid(`Attempting to create an index which already exists: ${IndexName}`);
    }
  }
  const unmetered = { ReadCapacityUnits: 0, WriteCapacityUnits: 0, NumberOfDecreasesToday: 0 };
  return created.map((index) => ({
    ...activeIndex(index),
    IndexArn: `${table.TableArn}/index/${index.IndexName}`,
    ProvisionedThroughput: unmetered,
  }));
}

// An item whose attribute has another type than the index is not in the index.
function indexEntries(table: TableDefinition, added: IndexDefinition[], item: Item): Write[] {
  const typeOf = new Map(table.AttributeDefinitions.map((one) => [one.AttributeName, one.AttributeType]));
  const fitting = added.filter(({ KeySchema }) =>
    KeySchema.every(({ AttributeName: name }) => item[name]?.[typeOf.get(name) ?? ''] !== undefined),
  );
  return getIndexActions(fitting, null, item, table).puts.map((entry) => ({
    type: 'put',
    key: indexPrefix('Global', table.TableName, entry.index) + entry.key,
    value: entry.item,
  }));
}
