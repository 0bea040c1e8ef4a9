import type { Write } from '../../../../../shared/store/write.ts';

/** What the commits of a recovery have besides: conditions of each, and what the last one also writes. */
export type Recovery = {
  /** For a commit that leaves the job in flight. */
  readonly guards: readonly Write[];
  /** For the commit that takes the job out of flight, the guards included. */
  readonly endings: readonly Write[];
};

export const PLAIN_RECOVERY: Recovery = { guards: [], endings: [] };
