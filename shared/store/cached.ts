import { processWide } from '../async/process-wide.ts';

type CacheOptions<T> = {
  /** Caches of one name share their items. */
  readonly name: string;
  readonly read: (key: string) => Promise<T | undefined>;
  /** How old an item may be. 0 reads it at every use. */
  readonly ttlMs: () => number;
  readonly now?: () => number;
};

type Entry<T> = { readonly value: Promise<T | undefined>; readonly readAtMs: number };

// A few megabytes of small items. The one that was read longest ago leaves first.
const MAX_KEYS = 10_000;

// A change in this process is seen at once, even by a read that began before it:
//
//   reader  |--reads the old item----------------------|       its callers get the old item, nobody else
//   writer          |--commits--drops the key
//   reader 2                                  |--reads the new item--|
//
// Another process sees it when its own item is too old.

/**
 * A cache of this process for items that change rarely. Concurrent reads of one key are one read. An item that does not
 * exist, or whose read failed, is read again at the next use.
 * @example const organizations = cached({ name: 'organizations', read: (id) => items.get(id), ttlMs });
 *          await organizations.get(id);
 */
export function cached<T>({ name, read, ttlMs, now = Date.now }: CacheOptions<T>) {
  const entries = processWide(`cached.${name}`, () => new Map<string, Entry<T>>());

  const start = (key: string, readAtMs: number): Entry<T> => {
    const entry: Entry<T> = { value: read(key), readAtMs };
    const forget = (): void => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    entry.value.then((value) => value === undefined && forget(), forget);
    // Deleted first, so that the order of the map is that of the reads.
    entries.delete(key);
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_KEYS && oldest !== undefined) entries.delete(oldest);
    return entry;
  };

  return {
    get(key: string): Promise<T | undefined> {
      const nowMs = now();
      const known = entries.get(key);
      const isFresh = known !== undefined && nowMs - known.readAtMs < ttlMs();
      return (isFresh ? known : start(key, nowMs)).value;
    },
    /** Call it after a write to the item. */
    drop(key: string): void {
      entries.delete(key);
    },
  };
}
