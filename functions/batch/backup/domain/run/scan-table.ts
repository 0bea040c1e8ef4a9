import { lineOf } from '../../../../../shared/store/snapshot/lines.ts';
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
  // While one part is stored the next one is read.
  let storing: Promise<void> = Promise.resolve();
  do {
    segments = await Promise.all(segments.map((segment, number) => scanPage(run, segment, number, part)));
    if (part.size.bytes < PART_BYTES) continue;
    await storing;
    storing = store(run, part, segments);
    storing.catch(() => undefined); // it is awaited below
    part = openPart();
  } while (run.hasTime() && segments.some(({ isDone }) => !isDone));
  await storing;
  if (part.size.lines > 0) await store(run, part, segments);
  else await run.save({ segments });
  return segments.every(({ isDone }) => isDone);
}

async function scanPage(run: Run, segment: ScannedTo, number: number, part: OpenPart): Promise<ScannedTo> {
  if (segment.isDone) return segment;
  const { lines, after } = await run.snapshot.scan({ number, of: SEGMENTS, after: segment.after });
  part.add(lines.map(lineOf));
  return { after, isDone: after === null };
}

const store = (run: Run, part: OpenPart, segments: readonly ScannedTo[]): Promise<void> =>
  storePart(run, 'scan', part, ({ items }) => ({ segments, items: items + part.size.lines }));
