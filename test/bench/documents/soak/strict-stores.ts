import { setTimeout as pause } from 'node:timers/promises';
import type { Counts } from '../../../../shared/embedded/tables/strict.ts';
import { startStores } from '../../measure/stores.ts';

export type StrictStores = Awaited<ReturnType<typeof startStrictStores>>;

/** Stores that behave like AWS under load. This process works on them. */
export async function startStrictStores() {
  let holdMs = 0;
  // As on AWS, between three and five quarters of it.
  const hold = () => pause(holdMs * (0.75 + Math.random() / 2));
  const { stores, stop } = await startStores({ strict: { hold } });
  return {
    /** Sets how long a transaction has its items on average, and gives the counts so far. */
    hold(ms: number): Counts {
      holdMs = ms;
      return structuredClone(stores.tables.counts);
    },
    stop,
  };
}
