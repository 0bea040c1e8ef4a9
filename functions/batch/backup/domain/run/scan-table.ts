import { setTimeout as pause } from 'node:timers/promises';
import { commonSettings } from '../../../../../shared/settings/common.ts';
import { type Line, lineOf } from '../../../../../shared/store/snapshot/lines.ts';
import type { ScannedTo } from '../backup.ts';
import { type OpenPart, openPart, PART_BYTES, storePart } from './part.ts';
import type { Run } from './run.ts';

/** Parts of the table that are read side by side. */
const SEGMENTS = 4;

export const NOT_SCANNED: readonly ScannedTo[] = Array.from({ length: SEGMENTS }, () => ({
  after: null,
  isDone: false,
}));

/** Stores the items of the table, each as it is when it is read: a page of each segment at least. True when all are stored. */
export async function scanTable(run: Run): Promise<boolean> {
  let segments = run.record().segments;
  let part = openPart();
  const read = pagesOf(run);
  // While pages are written to a part the next ones are read, and so they are while a part is stored.
  let reading = read(segments);
  let storing: Promise<void> = Promise.resolve();
  for (;;) {
    const pages = await reading;
    segments = segments.map((segment, n) => pages[n]?.scannedTo ?? segment);
    const goesOn = run.hasTime() && segments.some(({ isDone }) => !isDone);
    if (goesOn) {
      reading = read(segments);
      reading.catch(() => undefined); // it is awaited above, unless a part cannot be stored
    }
    for (const { lines } of pages) part.add(lines.map(lineOf));
    if (!goesOn) break;
    if (part.size.bytes < PART_BYTES) continue;
    await storing;
    storing = store(run, part, segments);
    storing.catch(() => undefined); // it is awaited before the next part, or below
    part = openPart();
  }
  await storing;
  if (part.size.lines > 0) await store(run, part, segments);
  else await run.save({ segments });
  return segments.every(({ isDone }) => isDone);
}

type Page = { readonly lines: readonly Line[]; readonly scannedTo: ScannedTo };

/** Of the time that pages take to be read, while others write. */
const PAUSE_SHARE = 4;
const MAX_PAUSE_MS = 2_000;

/**
 * Reads the next page of each segment. Where one process serves everything, as the local engine does, that leaves four
 * fifths of the time to those who write meanwhile. On AWS it is in nobody's way.
 */
function pagesOf({ snapshot }: Run): (segments: readonly ScannedTo[]) => Promise<Page[]> {
  let tookMs = 0;
  let commitsBefore = Number.POSITIVE_INFINITY;
  const yieldToWriters = async (): Promise<void> => {
    const commits = await snapshot.commits();
    if (commits > commitsBefore) await pause(Math.min(tookMs * PAUSE_SHARE, MAX_PAUSE_MS));
    commitsBefore = commits;
  };
  const readPage = async ({ after, isDone }: ScannedTo, number: number): Promise<Page> => {
    if (isDone) return { lines: [], scannedTo: { after, isDone } };
    const page = await snapshot.scan({ number, of: SEGMENTS, after });
    return { lines: page.lines, scannedTo: { after: page.after, isDone: page.after === null } };
  };
  return async (segments) => {
    if (commonSettings['Http:ShareProcessor']) await yieldToWriters();
    const startedAt = performance.now();
    const pages = await Promise.all(segments.map(readPage));
    tookMs = performance.now() - startedAt;
    return pages;
  };
}

const store = (run: Run, part: OpenPart, segments: readonly ScannedTo[]): Promise<void> =>
  storePart(run, 'scan', part, ({ items }) => ({ segments, items: items + part.size.lines }));
