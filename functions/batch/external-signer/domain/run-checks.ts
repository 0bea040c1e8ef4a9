import type { Looker } from './looker.ts';

/** Reads the documents that notifications cited. */
export async function runChecks(_: Looker): Promise<void> {
  throw new Error('runChecks');
}
