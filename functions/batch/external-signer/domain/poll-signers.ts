import type { Looker } from './looker.ts';

/** One pass over the jobs in AwaitingSigner. */
export async function pollSigners(_: Looker): Promise<void> {
  throw new Error('pollSigners');
}
