import type { SQLInputValue } from 'node:sqlite';
import type { Database } from '../database.ts';
import { heldOf } from './held.ts';
import { type Index, itemsSql, type KeySchema, type Table } from './tables.ts';
import { checkKeyValue, type Item, sortKey, type Value } from './values.ts';

/** Where an item stands: its hash and range key as SQLite sorts them. */
export type Address = readonly [hash: SQLInputValue, range: SQLInputValue];

// A table or index without a range key has this one.
const NO_RANGE = '';

export const addressOf = ({ hash, range }: KeySchema, item: Item): Address => [
  sortKey(item[hash.AttributeName] as Value),
  range ? sortKey(item[range.AttributeName] as Value) : NO_RANGE,
];

/** The JSON of an item. */
export function readText(database: Database, table: Table, [hash, range]: Address): string | undefined {
  const row = database.get(table.sql.read, hash, range);
  return row && String(row.item);
}

export function readItem(database: Database, table: Table, address: Address): Item | undefined {
  const text = readText(database, table, address);
  return text === undefined ? undefined : JSON.parse(text);
}

/** Writes an item, or deletes it, and its entries in the indexes. `before` is the item as it is now. */
export function writeItem(
  database: Database,
  table: Table,
  address: Address,
  before: Item | undefined,
  after: Item | undefined,
  text = after && JSON.stringify(after),
): void {
  const [hash, range] = address;
  if (after && text) {
    const sql = before ? table.sql.replace : table.sql.insert;
    database.run(sql, text, expiryOf(table, after), heldOf(table, after), hash, range);
  } else if (before) database.run(table.sql.remove, hash, range);
  for (const index of table.indexes) moveEntry(database, index, address, before, after);
}

function moveEntry(
  database: Database,
  index: Index,
  [itemHash, itemRange]: Address,
  before?: Item,
  after?: Item,
): void {
  if (before && after && hasSameAttributes(index, before, after)) return;
  const [old, young] = [before && entryOf(index, before), after && entryOf(index, after)];
  if (old && young && sameAddress(old, young)) return;
  if (old) database.run(index.removeSql, ...old, itemHash, itemRange);
  if (young) database.run(index.insertSql, ...young, itemHash, itemRange);
}

// An update leaves the attributes that it does not name as they are in the item before.
const hasSameAttributes = ({ hash, range }: Index, before: Item, after: Item): boolean =>
  before[hash.AttributeName] === after[hash.AttributeName] &&
  (!range || before[range.AttributeName] === after[range.AttributeName]);

const sameAddress = (one: Address, other: Address): boolean =>
  one.every((part, index) =>
    part instanceof Uint8Array
      ? Buffer.compare(part, other[index] as Uint8Array) === 0
      : part === other[index],
  );

/** The place of an item in an index, where it has all attributes of the index's key in their types. */
export function entryOf(index: Index, item: Item): Address | undefined {
  const isIn = [index.hash, index.range].every(
    (attribute) =>
      !attribute || item[attribute.AttributeName]?.[attribute.AttributeType as 'S'] !== undefined,
  );
  return isIn ? addressOf(index, item) : undefined;
}

/** An attribute of an index's key has the index's type. One that is as before was checked then. */
export function checkIndexKeys({ indexed }: Table, item: Item, before?: Item): void {
  for (const { AttributeName: name, AttributeType } of indexed)
    if (item[name] && item[name] !== before?.[name]) checkKeyValue(name, item[name], AttributeType, true);
}

/** Puts what is in a table into an index that was added. */
export function fillIndexes(database: Database, table: Table, added: readonly Index[]): void {
  for (const row of database.each(`SELECT hash, range, item FROM ${itemsSql(table.id)}`)) {
    const item = JSON.parse(String(row.item)) as Item;
    for (const index of added)
      moveEntry(database, index, [row.hash as SQLInputValue, row.range as SQLInputValue], undefined, item);
  }
}

/** Notes when each item expires, after the attribute that says so has changed. */
export function noteExpiries(database: Database, table: Table): void {
  for (const row of [...database.each(`SELECT hash, range, item FROM ${itemsSql(table.id)}`)])
    database.run(
      `UPDATE ${itemsSql(table.id)} SET expires = ? WHERE hash = ? AND range = ?`,
      expiryOf(table, JSON.parse(String(row.item))),
      row.hash as SQLInputValue,
      row.range as SQLInputValue,
    );
}

function expiryOf({ definition: { ttl } }: Table, item: Item): number | null {
  const seconds = ttl === undefined ? Number.NaN : Number(item[ttl]?.N);
  return Number.isFinite(seconds) ? Math.floor(seconds) : null;
}
