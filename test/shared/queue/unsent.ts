import type { Write } from '../../../shared/store/write.ts';

/**
 * The same writes, whose messages are recorded and not sent: as after a kill of their writer, or for a test that brings
 * them to their worker itself.
 */
export const unsent = (writes: readonly Write[]): Write[] =>
  writes.map((write) => ('message' in write ? { ...write, afterCommit: undefined } : write));
