import { type Budget, chargeMemory, chargeTime } from '../../../bounds/budget.ts';
import { CACHED_VALUE_UNITS, VALUE_UNITS } from './budget.ts';

type Entry<Value> = { readonly value: Value; readonly bytes: number; readonly units: number };

/** Values read before, as many as fit. */
export type Cache<Value> = {
  readonly get: (key: number) => Value | undefined;
  /** Reads a value, and caches it where `mayCache` allows. */
  readonly read: (
    key: number,
    read: () => Value | undefined,
    mayCache: (read: Value) => boolean,
  ) => Value | undefined;
};

const MIN_BYTES = 96; // of the cache entry itself

/** @example const cache = createCache<IndirectObject>(budget, 1024 * 1024); */
export function createCache<Value>(budget: Budget, maxBytes: number): Cache<Value> {
  const entries = new Map<number, Entry<Value>>();
  let cachedBytes = 0;
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (!entry) return undefined;
      // The caller walks the value, and may use it after it has left the cache.
      chargeTime(budget, entry.units);
      chargeMemory(budget, entry.bytes);
      return entry.value;
    },
    read: (key, read, mayCache) => {
      const { heldBytes, leftUnits } = budget;
      const value = read();
      const bytes = MIN_BYTES + budget.heldBytes - heldBytes;
      if (value === undefined || bytes > maxBytes || !mayCache(value)) return value;
      if (cachedBytes + bytes > maxBytes) {
        entries.clear();
        cachedBytes = 0;
      }
      cachedBytes += bytes;
      entries.set(key, {
        value,
        bytes,
        units: ((leftUnits - budget.leftUnits) * CACHED_VALUE_UNITS) / VALUE_UNITS,
      });
      return value;
    },
  };
}
