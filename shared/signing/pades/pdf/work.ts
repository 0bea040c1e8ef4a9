import { broken } from '../refused.ts';

/** How much reading one file may still cost, in bytes read or unpacked. */
export type Work = { leftBytes: number };

// Reading every object of a file takes less than its length. Files that ask for the same large object again and
// again, or that unpack to the same stream in turn, are made to keep a server busy.
const TIMES_THE_FILE = 16;
const FOR_SMALL_FILES_BYTES = 8 * 1024 * 1024;

export const workFor = (fileBytes: number): Work => ({
  leftBytes: TIMES_THE_FILE * fileBytes + FOR_SMALL_FILES_BYTES,
});

export function spend(work: Work, bytes: number): void {
  work.leftBytes -= bytes;
  if (work.leftBytes < 0) broken('it refers to the same parts so often that reading it would not end.');
}
