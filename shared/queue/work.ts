import type { Logger } from '../log/logger.ts';

/** What work runs with: its log, its clock, and whether it may begin another piece. */
export type Work = {
  readonly logger: Logger;
  readonly now: () => number;
  readonly hasTime: () => boolean;
};
