import { constants, setPriority } from 'node:os';
import { platform } from 'node:process';

/**
 * Leaves this thread only the time that others spare. On systems but Linux it would lower the whole process: nothing is
 * done. Nor where the system refuses it, as a filter of system calls may: the work matters more than its priority.
 */
export function takeLowPriority(): void {
  if (platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // The thread works at the priority of all others.
  }
}
