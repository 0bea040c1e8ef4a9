import type { Worker } from '../../jobs/domain/job/run-claimed.ts';

/** One pass over the jobs in AwaitingSigner. */
export async function pollSigners(_: Looker): Promise<void> {
  throw new Error('pollSigners');
}

/** Who looks at the external service, and for how long. */
export type Looker = Worker & { readonly hasTime: () => boolean };
