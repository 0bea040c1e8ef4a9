// Damage in the data, work that a killed engine left, and writes that fail.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDiskFull } from '../../../../shared/command-line/reason.ts';
import type { Body, Item, Store } from './dynalite.ts';
import { ITEM_KEY } from './keys.ts';
import type { Operations } from './operations.ts';

/**
 * Reads the whole store once, and gives a line for each kind of damage. LevelDB drops unreadable parts of its log
 * silently, and finds a damaged table only when somebody reads from it.
 * @example for (const line of await findDamage(store, path, (table, item) => {})) say(line)
 */
export async function findDamage(
  { db }: Store,
  path: string,
  each: (table: string, item: Item) => void,
): Promise<string[]> {
  const damaged: string[] = [];
  let failure: string | undefined;
  try {
    for await (const [key, value] of db.iterator({ valueEncoding: 'utf8' })) {
      const item = parseOrSkip(String(value));
      if (item === undefined) damaged.push(key);
      const [, table] = ITEM_KEY.exec(key) ?? [];
      if (item && table) each(table, item as Item);
    }
  } catch (error) {
    failure = ((error as Error).cause as Error | undefined)?.message ?? (error as Error).message;
  }
  return [
    ...droppedFromLog(path),
    ...(damaged.length > 0 ? [`${damaged.length} records cannot be read, the first at ${damaged[0]}`] : []),
    ...(failure ? [`a part of its tables cannot be read (${failure})`] : []),
  ];
}

function parseOrSkip(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** LevelDB's own notes on its start, in a file that is new each time. */
function droppedFromLog(path: string): string[] {
  let notes: string;
  try {
    notes = readFileSync(join(path, 'LOG'), 'utf8');
  } catch {
    return [];
  }
  const bytes = [...notes.matchAll(/dropping (\d+) bytes; Corruption/g)].map(([, count]) => Number(count));
  const total = bytes.reduce((sum, count) => sum + count, 0);
  return total > 0
    ? [`${total} bytes of the last writes cannot be read, and the records in them are lost`]
    : [];
}

// The attribute of shared/store/lease.ts, and the keys of shared/store/semaphore/semaphore.ts.
const LEASE = 'leaseEndsAtMs';
const SEMAPHORE = /^SEMAPHORE#/;

/**
 * Frees leases and semaphores that the previous engine held when it ended: its workers ended with its process. On AWS a
 * function may outlive any other, so there a lease ends by its time alone.
 * @example const abandoned = abandonedWork(); await findDamage(store, path, abandoned.see); await abandoned.free(operations)
 */
export function abandonedWork() {
  const leases: Body[] = [];
  const semaphores: Body[] = [];
  return {
    see(table: string, item: Item): void {
      const key = { TableName: table, Key: { pk: item.pk, ...(item.sk && { sk: item.sk }) } };
      if (item[LEASE]) leases.push(key);
      if (SEMAPHORE.test(String(item.pk?.S))) semaphores.push(key);
    },
    async free({ UpdateItem, DeleteItem }: Operations): Promise<void> {
      const removing = { UpdateExpression: 'REMOVE #lease', ExpressionAttributeNames: { '#lease': LEASE } };
      for (const key of leases) await UpdateItem?.({ ...key, ...removing });
      for (const key of semaphores) await DeleteItem?.(key);
    },
  };
}

// A batch that failed half way (a full disk) leaves a torn record in LevelDB's log. Later records are lost at the next
// start, so nothing is acknowledged after it. A restart reads the log again and repairs it.
export function stopAtFirstFailure({ db }: Store): void {
  const write = db.batch.bind(db);
  let failure: Error | undefined;
  db.batch = async (writes) => {
    if (failure)
      throw new Error(`DynamoDB takes no more writes since one failed (${failure.message}). Restart.`);
    try {
      await write(writes);
    } catch (error) {
      failure =
        (error as Error).cause instanceof Error ? ((error as Error).cause as Error) : (error as Error);
      const why = isDiskFull(failure) ? 'the disk is full. Make room first' : failure.message;
      console.error(`DynamoDB: a write failed, and it takes no more until a restart: ${why}`);
      throw error;
    }
  };
}
