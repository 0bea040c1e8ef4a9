import { processWide } from '../async/process-wide.ts';

export type CacheOptions<T> = {
  /** Unique in the process: caches of one name share their values. */
  readonly name: string;
  readonly read: (key: string) => Promise<T | undefined>;
  /** How long a value may be used, counted from the beginning of its read; 0 reads every time. */
  readonly ttlMs: () => number;
  readonly now?: () => number;
};

export type Cache<T> = {
  get(key: string): Promise<T | undefined>;
  /** Forgets a value that this process has changed. Other processes see the change when their copy expires. */
  drop(key: string): void;
};

// Every cache of the process, by its name.
const caches = processWide('caches', () => new Map<string, Map<string, unknown>>());

/**
 * Forgets everything that caches of this process hold, after somebody else has changed what they read.
 * @example dropAllCached();
 */
export function dropAllCached(): void {
  for (const entries of caches.values()) entries.clear();
}

type Entry<T> = { readonly atMs: number; readonly value: Promise<T | undefined> };

// A few megabytes of small items. The key that was read longest ago goes first.
const MAX_KEYS = 10_000;

// A change and a read that began before it:
//
//   reader  |--reads the old value---------------------| gets it; it is not kept
//   writer        |--changes it--drops the key--|
//   next                                          |--reads the new value--|
//
// An entry exists from the beginning of its read, so the writer also drops a value that is still on its way.

/**
 * A cache of items by key for one process. Callers that ask for a key at the same time share one read. Items that do
 * not exist, and failures, are not kept.
 * @example const organization = cached({ name: 'organizations', read: (id) => organizations.get(id), ttlMs: () => 5_000 });
 *          await organization.get(id);
 */
export function cached<T>({ name, read, ttlMs, now = () => Date.now() }: CacheOptions<T>): Cache<T> {
  const entries = processWide(`cached.${name}`, () => new Map<string, Entry<T>>());
  caches.set(name, entries);

  const start = (key: string, atMs: number): Promise<T | undefined> => {
    const entry: Entry<T> = { atMs, value: read(key) };
    const discard = (): void => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    entries.delete(key); // so that the key moves to the end
    entries.set(key, entry);
    const [oldest] = entries.keys();
    if (entries.size > MAX_KEYS && oldest !== undefined) entries.delete(oldest);
    entry.value.then((found) => found === undefined && discard(), discard);
    return entry.value;
  };

  return {
    get(key) {
      const keptMs = ttlMs();
      if (keptMs <= 0) return read(key);
      const atMs = now();
      const known = entries.get(key);
      const ageMs = known ? atMs - known.atMs : keptMs;
      // A negative age means that the clock was set back: nobody knows how old the value is.
      return known && ageMs >= 0 && ageMs < keptMs ? known.value : start(key, atMs);
    },
    drop(key) {
      entries.delete(key);
    },
  };
}
