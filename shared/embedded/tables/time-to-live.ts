import type { Database } from '../database.ts';
import { invalid } from './errors.ts';
import { addressOf, noteExpiries, readItem, writeItem } from './items.ts';
import type { Request } from './request.ts';
import { itemsSql, type Table, type Tables } from './tables.ts';
import type { Item } from './values.ts';

// DynamoDB takes an older time for a mistake and keeps the item.
const TOO_OLD_SECONDS = 5 * 365 * 24 * 60 * 60;
// One commit has few enough that others do not wait for it.
const DELETED_AT_ONCE = 500;
// Pages given back to the file system in one commit: 8 MB.
const PAGES_FREED_AT_ONCE = 1_024;

type Setting = { readonly AttributeName: string; readonly Enabled: boolean };

export function createTimeToLive(database: Database, tables: Tables, now: () => number) {
  const update = (request: Request) =>
    database.commit(() => {
      const table = tables.find(String(request.TableName));
      const setting = request.TimeToLiveSpecification as Setting;
      if ((table.definition.ttl !== undefined) === setting.Enabled)
        throw invalid(`TimeToLive is already ${setting.Enabled ? 'enabled' : 'disabled'}`);
      tables.setTimeToLive(table, setting.Enabled ? setting.AttributeName : undefined);
      noteExpiries(database, tables.find(table.name));
      return { TimeToLiveSpecification: setting };
    });

  const describe = async (request: Request) => {
    const { ttl } = tables.find(String(request.TableName)).definition;
    return {
      TimeToLiveDescription:
        ttl === undefined
          ? { TimeToLiveStatus: 'DISABLED' }
          : { TimeToLiveStatus: 'ENABLED', AttributeName: ttl },
    };
  };

  /** Deletes expired items in steps, gives their space back, and tells their number. */
  async function collect(): Promise<number> {
    let collected = 0;
    for (const name of tables.names()) {
      let deleted: number;
      do {
        deleted = await database.commit(() => deleteExpired(tables.find(name)));
        collected += deleted;
      } while (deleted === DELETED_AT_ONCE);
    }
    while (Number(database.get('PRAGMA freelist_count')?.freelist_count) > 0)
      await database.commit(freePages);
    return collected;
  }

  // Each step of the statement gives one page back: it is walked to its end.
  function freePages(): void {
    for (const _page of database.each(`PRAGMA incremental_vacuum(${PAGES_FREED_AT_ONCE})`));
  }

  function deleteExpired(table: Table): number {
    const seconds = Math.floor(now() / 1_000);
    const expired = [
      ...database.each(
        `SELECT item FROM ${itemsSql(table.id)} WHERE expires < ? AND expires > ? LIMIT ${DELETED_AT_ONCE}`,
        seconds,
        seconds - TOO_OLD_SECONDS,
      ),
    ];
    for (const row of expired) {
      const address = addressOf(table, JSON.parse(String(row.item)) as Item);
      writeItem(database, table, address, readItem(database, table, address), undefined);
    }
    return expired.length;
  }

  return { update, describe, collect };
}
