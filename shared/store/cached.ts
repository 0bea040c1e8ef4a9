import { processWide } from '../async/process-wide.ts';

export type CacheOptions<T> = {
  /** One cache of a process, shared by every function in it. */
  readonly name: string;
  readonly read: (key: string) => Promise<T | undefined>;
  /** How long a value may be used after it was read; 0 reads it every time. */
  readonly ttlMs: () => number;
  readonly now?: () => number;
};

export type Cache<T> = {
  readonly get: (key: string) => Promise<T | undefined>;
  /** The next `get` reads again. */
  readonly drop: (key: string) => void;
};

type Entry<T> = { readonly readAtMs: number; readonly value: Promise<T | undefined> };

// A few kilobytes each. The longest-known one makes way.
const MAX_ENTRIES = 2_000;

// The age of a value counts from the start of its read, so a change is seen at most `ttlMs` after it was written:
//
//   reader   |--read--|  used  used  used |--read--|
//   writer       |--change--|             |
//            |<---------- ttlMs --------->|
//
// An absent item is not kept: one that is created is found at once.

/**
 * Values by key, kept in the process for a short time. Concurrent reads of one key share one call.
 * @example const application = await cached({ name: 'applications', read, ttlMs: () => 5_000 }).get('acme');
 */
export function cached<T>({ name, read, ttlMs, now = () => Date.now() }: CacheOptions<T>): Cache<T> {
  const entries = processWide(`cached.${name}`, () => new Map<string, Entry<T>>());

  const isFresh = ({ readAtMs }: Entry<T>): boolean => {
    const ageMs = now() - readAtMs;
    // A negative age means that the clock was set back: nobody knows how old the value is.
    return ageMs >= 0 && ageMs < ttlMs();
  };

  function start(key: string): Entry<T> {
    const entry: Entry<T> = { readAtMs: now(), value: read(key) };
    const forget = (): void => {
      if (entries.get(key) === entry) entries.delete(key);
    };
    entry.value.then((value) => value === undefined && forget(), forget);
    entries.delete(key);
    if (entries.size >= MAX_ENTRIES) for (const oldest of entries.keys()) if (entries.delete(oldest)) break;
    entries.set(key, entry);
    return entry;
  }

  return {
    get(key) {
      if (ttlMs() <= 0) return read(key);
      const known = entries.get(key);
      return (known && isFresh(known) ? known : start(key)).value;
    },
    drop: (key) => void entries.delete(key),
  };
}
