import type { Looker } from './looker.ts';

/** One pass over the bound folders. */
export async function sweepFolders(_: Looker): Promise<void> {
  throw new Error('sweepFolders');
}
