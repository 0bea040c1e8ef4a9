import type { Database } from '../database.ts';
import { itemsSql, type KeySchema, keyOf, type Tables } from './tables.ts';
import type { Item } from './values.ts';

// The attribute of shared/store/lease.ts, and the keys of shared/store/semaphore/semaphore.ts.
const LEASE = 'leaseEndsAtMs';
const SEMAPHORE = 'SEMAPHORE#';

/** A lease or a semaphore, by what is to be changed to free it. */
export type Held = { readonly TableName: string; readonly Key: Item; readonly attribute?: typeof LEASE };

const isSemaphore = ({ hash }: KeySchema, item: Item): boolean =>
  String(item[hash.AttributeName]?.S).startsWith(SEMAPHORE);

/** 1 for an item that somebody holds, as the column has it. */
export const heldOf = (table: KeySchema, item: Item): 1 | null =>
  item[LEASE] || isSemaphore(table, item) ? 1 : null;

/** The leases and semaphores of all tables. */
export function findHeld(database: Database, tables: Tables): Held[] {
  return tables.names().flatMap((TableName) => {
    const table = tables.find(TableName);
    const rows = [...database.each(`SELECT item FROM ${itemsSql(table.id)} WHERE held IS NOT NULL`)];
    return rows.map((row): Held => {
      const item = JSON.parse(String(row.item)) as Item;
      const Key = keyOf(table, item);
      return isSemaphore(table, item) ? { TableName, Key } : { TableName, Key, attribute: LEASE };
    });
  });
}
