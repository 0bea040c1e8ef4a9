import { constants, setPriority } from 'node:os';
import { platform } from 'node:process';

/** Leaves this thread only the time that others spare. On systems but Linux it would lower the whole process: nothing is done. */
export const takeLowPriority = (): void => {
  if (platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
};
