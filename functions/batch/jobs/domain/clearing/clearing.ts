import { collection } from '../../../../../shared/store/collection.ts';

/** One call to clear the jobs, until it has deleted them all. */
export type Clearing = {
  readonly id: string;
  /** Jobs that were created at this time or later stay. */
  readonly beforeMs: number;
  readonly by: string;
  /** Counted in the commits that delete. */
  readonly deleted: number;
};

export const clearings = collection<Clearing, string>({
  service: 'batch',
  name: 'clearing',
  id: ({ id }) => id,
  key: (id) => ({ pk: `CLEARING#${id}`, sk: 'CLEARING' }),
});
