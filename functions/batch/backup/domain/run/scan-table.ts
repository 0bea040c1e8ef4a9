import { setTimeout as pause } from 'node:timers/promises';
import { commonSettings } from '../../../../../shared/settings/common.ts';
import { lineOf } from '../../../../../shared/store/lines/lines.ts';
import type { ScannedPage } from '../../../../../shared/store/snapshot/snapshot.ts';
import type { ScannedTo } from '../backup.ts';
import { type OpenPart, openPart, PART_BYTES, storePart } from './part.ts';
import type { Run } from './run.ts';

/** Parts of the table that are read side by side. */
const SEGMENTS = 4;

export const NOT_SCANNED: readonly ScannedTo[] = Array.from({ length: SEGMENTS }, () => ({
  after: null,
  isDone: false,
}));

//   segment 1  |--page--|--page--|--page------|--page--|
//   segment 2  |--page------|--page--|--page------|--page--|
//   parts      |-- 1 is filled --|-- 2 is filled, 1 is stored --|-- 3 is filled, 2 is stored --|
//
// A page is added to the part and to the place of its segment in one step. So a part that is full at any moment has what
// lies before the places of that moment.

/** Stores the items of the table, each as it is when it is read: a page of each segment at least. True when all are stored. */
export async function scanTable(run: Run): Promise<boolean> {
  const segments = [...run.record().segments];
  let part = openPart();
  let storing: Promise<void> = Promise.resolve();
  let isGivenUp = false;
  const storeFull = async (): Promise<void> => {
    const [full, places, before] = [part, [...segments], storing];
    part = openPart();
    storing = before.then(() => store(run, full, places));
    storing.catch(() => undefined); // it is awaited before the next part, or at the end
    await before;
  };
  const scan = async (from: ScannedTo, number: number): Promise<void> => {
    const read = pagesOf(run, number);
    let place = from;
    while (!place.isDone && !isGivenUp) {
      const { lines, after } = await read(place.after);
      part.add(lines.map(lineOf));
      place = { after, isDone: after === null };
      segments[number] = place;
      if (part.size.bytes >= PART_BYTES) await storeFull();
      if (!run.hasTime()) return;
    }
  };
  const scans = run.record().segments.map(scan);
  await Promise.all(scans).catch((error: unknown) => {
    isGivenUp = true;
    throw error;
  });
  await storing;
  if (part.size.lines > 0) await store(run, part, segments);
  else await run.save({ segments });
  return segments.every(({ isDone }) => isDone);
}

/** Of the time that a page takes to be read, while others write. Four times as much, and that for each segment. */
const PAUSE_SHARE = 4 * SEGMENTS;
const MAX_PAUSE_MS = 2_000;

/**
 * Reads the pages of a segment. Where one process serves everything, as the local engine does, that leaves four fifths of
 * the time to those who write meanwhile. On AWS it is in nobody's way.
 */
function pagesOf({ snapshot }: Run, number: number): (after: ScannedTo['after']) => Promise<ScannedPage> {
  const countCommits = () => (commonSettings['Http:ShareProcessor'] ? snapshot.commits() : 0);
  let commitsBefore: number | undefined;
  let pauseMs = 0;
  return async (after) => {
    if (pauseMs > 0) await pause(pauseMs);
    const startedAt = performance.now();
    const [page, commits] = await Promise.all([
      snapshot.scan({ number, of: SEGMENTS, after }),
      countCommits(),
    ]);
    const tookMs = performance.now() - startedAt;
    const areOthersWriting = commitsBefore !== undefined && commits > commitsBefore;
    pauseMs = areOthersWriting ? Math.min(tookMs * PAUSE_SHARE, MAX_PAUSE_MS) : 0;
    commitsBefore = commits;
    return page;
  };
}

const store = (run: Run, part: OpenPart, segments: readonly ScannedTo[]): Promise<void> =>
  storePart(run, 'scan', part, ({ items }) => ({ segments, items: items + part.size.lines }));
