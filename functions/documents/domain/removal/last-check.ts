import { commonSettings } from '../../../../shared/settings/common.ts';

// A function that creates a document or a folder, or moves a document, first reads that its folder and its organization
// are active. Its write does not check them again: every write in a place would then conflict with every other one
// there. So the deletion of a place waits for writers that still found it active:
//
//   create  |--reads: Active------------------- creates a document --|
//   delete       |--Deleting--|--empties it--|                          |--last check: empties it again--|--gone
//
//           deletion            + the age of a cached organization      + the life of a function     + margin
//           |------------------------ no writer is left after this ------------------------------------------|
//
// Until then the place stays as a tombstone in the state Deleting, and readers find nothing in it.

// Lambda ends a function after 15 minutes at most. Clocks of functions differ by less than the margin.
const MAX_FUNCTION_SECONDS = 15 * 60;
const MARGIN_SECONDS = 60;

/**
 * The seconds until a deleted place can get nothing more. Not positive: a place that is found empty stays empty.
 * @example if (secondsToLastCheck(folder, nowMs) <= 0) await folders.delete(folder);
 */
export const secondsToLastCheck = (
  { deletedAtMs = 0 }: { readonly deletedAtMs?: number },
  nowMs: number,
): number =>
  MAX_FUNCTION_SECONDS +
  commonSettings['Access:CacheSeconds'] +
  MARGIN_SECONDS -
  Math.floor((nowMs - deletedAtMs) / 1000);
