import type { Counts } from '../../shared/embedded/tables/strict.ts';
import { useOwnStores } from '../stores/own-stores.ts';

/**
 * Stores of a test file's own that cancel transactions that meet and throttle partition keys, as AWS does, with their
 * counts of it.
 */
export async function ownStrictStores(): Promise<{ counts: Counts; stop: () => Promise<void> }> {
  const { stores, stop } = await useOwnStores('strict');
  return { counts: stores.tables.counts, stop };
}

/** Stores of a test file's own, for rules about a whole table or about something there is only one of. */
export const ownStores = async (): Promise<() => Promise<void>> => (await useOwnStores('plain')).stop;
