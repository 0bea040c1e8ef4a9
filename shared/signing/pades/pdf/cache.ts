import { type Budget, chargeMemory, chargeTime } from '../../../bounds/budget.ts';
import { CACHED_VALUE_UNITS, VALUE_UNITS } from './budget.ts';

type Entry<Of> = { readonly of: Of; readonly bytes: number; readonly units: number };

/** What was read before and may be asked for again, as far as there is room for it. */
export type Cache<Of> = {
  readonly get: (key: number) => Of | undefined;
  /** Reads, and keeps what was read if it may be. */
  readonly read: (key: number, read: () => Of | undefined, mayKeep: (read: Of) => boolean) => Of | undefined;
};

const MIN_BYTES = 96; // its place here

/** @example const kept = createKept<Found>(budget, 1024 * 1024); */
export function createCache<Of>(budget: Budget, mostBytes: number): Cache<Of> {
  const entries = new Map<number, Entry<Of>>();
  let keptBytes = 0;
  return {
    get: (key) => {
      const entry = entries.get(key);
      if (!entry) return undefined;
      // Whoever asks goes through it, and may use it after it is kept no longer.
      chargeTime(budget, entry.units);
      chargeMemory(budget, entry.bytes);
      return entry.of;
    },
    read: (key, read, mayKeep) => {
      const { heldBytes, leftUnits } = budget;
      const of = read();
      const bytes = MIN_BYTES + budget.heldBytes - heldBytes;
      if (of === undefined || bytes > mostBytes || !mayKeep(of)) return of;
      if (keptBytes + bytes > mostBytes) {
        entries.clear();
        keptBytes = 0;
      }
      keptBytes += bytes;
      entries.set(key, {
        of,
        bytes,
        units: ((leftUnits - budget.leftUnits) * CACHED_VALUE_UNITS) / VALUE_UNITS,
      });
      return of;
    },
  };
}
