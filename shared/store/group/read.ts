import { setImmediate } from 'node:timers/promises';
import { tableName } from '../../settings/names.ts';
import { type Collection, getBatch, type Stored } from '../collection.ts';
import type { Attributes, Key } from '../item.ts';

type Waiting = { readonly key: Key; readonly result: PromiseWithResolvers<Attributes | undefined> };

// DynamoDB takes no more in one request.
const MAX_KEYS = 100;

// By table, the reads that wait. A table is here while one of its groups is read.
const tables = new Map<string, Waiting[]>();

const nameOf = (pk: string | undefined, sk: string | undefined): string => JSON.stringify([pk, sk]);

/**
 * Reads an item together with those of the same table that this process asks for at the same time, by one request:
 * those that gather while a group is read are the next group. So groups are as large as the load asks for. A read begins
 * after it was asked for and is never older than that.
 *
 *   asked   a b    c d e     f
 *   read    |--a b--|--c d e--|--f--|
 *
 * @example const item = await readTogether(items, { kind, id });
 */
export async function readTogether<T extends object, Id>(
  { service, key, read }: Collection<T, Id>,
  id: Id,
): Promise<Stored<T> | undefined> {
  const table = tableName(service);
  const asked: Waiting = { key: key(id), result: Promise.withResolvers() };
  const waiting = tables.get(table);
  if (waiting) waiting.push(asked);
  else void readGroups(table, [asked]);
  const row = await asked.result.promise;
  return row && read(row);
}

async function readGroups(table: string, waiting: Waiting[]): Promise<void> {
  tables.set(table, waiting);
  while (waiting.length > 0) {
    // Whoever asks in the same turn of the event loop is in the group.
    await setImmediate();
    await readGroup(table, waiting.splice(0, MAX_KEYS));
  }
  tables.delete(table);
}

async function readGroup(table: string, group: readonly Waiting[]): Promise<void> {
  try {
    const keys = group.map(({ key }) => key);
    const rows = await getBatch(table, keys);
    const byName = new Map(rows.map((row) => [nameOf(row.pk?.S, row.sk?.S), row]));
    for (const { key, result } of group) result.resolve(byName.get(nameOf(key.pk, key.sk)));
  } catch (error) {
    for (const { result } of group) result.reject(error);
  }
}
