import type { Database } from '../database.ts';
import { itemsSql, keyOf, LEASE, MAY_BE_HELD, SEMAPHORE, type Tables } from './tables.ts';
import type { Item } from './values.ts';

/** A lease or a semaphore, by what is to be changed to free it. */
export type Held = { readonly TableName: string; readonly Key: Item; readonly attribute?: typeof LEASE };

/** The leases and semaphores of all tables. */
export function findHeld(database: Database, tables: Tables): Held[] {
  return tables.names().flatMap((TableName) => {
    const table = tables.find(TableName);
    const rows = [...database.each(`SELECT item FROM ${itemsSql(table.id)} WHERE ${MAY_BE_HELD}`)];
    return rows.flatMap((row): Held[] => {
      const item = JSON.parse(String(row.item)) as Item;
      const Key = keyOf(table, item);
      if (String(item[table.hash.AttributeName]?.S).startsWith(SEMAPHORE)) return [{ TableName, Key }];
      return item[LEASE] ? [{ TableName, Key, attribute: LEASE }] : [];
    });
  });
}
