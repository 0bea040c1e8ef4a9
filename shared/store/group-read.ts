import { setImmediate } from 'node:timers/promises';
import { tableName } from '../settings/names.ts';
import { type Collection, getBatch, type Stored } from './collection.ts';
import type { Key } from './item.ts';

type Waiting<T> = { readonly key: Key; readonly result: PromiseWithResolvers<Stored<T> | undefined> };

// DynamoDB takes no more in one request.
const MAX_KEYS = 100;

const nameOf = (pk: string | undefined, sk: string | undefined): string => JSON.stringify([pk, sk]);

/**
 * Reads items that are asked for at the same time by one request: those that gather while a group is read are the next
 * group. So groups are as large as the load asks for. A read begins after it was asked for and is never older than that.
 *
 *   asked   a b    c d e     f
 *   read    |--a b--|--c d e--|--f--|
 *
 * @example const read = groupRead(items);
 *          const item = await read({ kind, id });
 */
export function groupRead<T extends object, Id>({ service, key, read }: Collection<T, Id>) {
  const waiting: Waiting<T>[] = [];
  let working = false;

  const readGroup = async (group: readonly Waiting<T>[]): Promise<void> => {
    try {
      const rows = await getBatch(
        tableName(service),
        group.map((each) => each.key),
      );
      const byName = new Map(rows.map((row) => [nameOf(row.pk?.S, row.sk?.S), row]));
      for (const {
        key: { pk, sk },
        result,
      } of group) {
        const row = byName.get(nameOf(pk, sk));
        result.resolve(row && read(row));
      }
    } catch (error) {
      for (const { result } of group) result.reject(error);
    }
  };
  const work = async (): Promise<void> => {
    working = true;
    while (waiting.length > 0) {
      // Whoever asks in the same turn of the event loop is in the group.
      await setImmediate();
      await readGroup(waiting.splice(0, MAX_KEYS));
    }
    working = false;
  };
  return (id: Id): Promise<Stored<T> | undefined> => {
    const result = Promise.withResolvers<Stored<T> | undefined>();
    waiting.push({ key: key(id), result });
    if (!working) void work();
    return result.promise;
  };
}
