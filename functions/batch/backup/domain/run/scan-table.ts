import { setTimeout as pause } from 'node:timers/promises';
import { commonSettings } from '../../../../../shared/settings/common.ts';
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
  const yieldToWriters = pacer(run);
  do {
    segments = await Promise.all(segments.map((segment, number) => scanPage(run, segment, number, part)));
    if (part.size.bytes >= PART_BYTES) {
      await storing;
      storing = store(run, part, segments);
      storing.catch(() => undefined); // it is awaited below
      part = openPart();
    }
    await yieldToWriters();
  } while (run.hasTime() && segments.some(({ isDone }) => !isDone));
  await storing;
  if (part.size.lines > 0) await store(run, part, segments);
  else await run.save({ segments });
  return segments.every(({ isDone }) => isDone);
}

/** Of the time of a round of pages, while others write. */
const PAUSE_SHARE = 2;
const MAX_PAUSE_MS = 2_000;

/**
 * Where one process serves everything, as the local engine does, a scan leaves two thirds of the time to those who write
 * meanwhile. On AWS it is in nobody's way.
 */
function pacer({ snapshot }: Run): () => Promise<void> {
  let roundSince = performance.now();
  let commitsBefore: number | undefined;
  return async () => {
    if (!commonSettings['Http:ShareProcessor']) return;
    const tookMs = performance.now() - roundSince;
    const commits = await snapshot.commits();
    if (commitsBefore !== undefined && commits > commitsBefore)
      await pause(Math.min(tookMs * PAUSE_SHARE, MAX_PAUSE_MS));
    commitsBefore = commits;
    roundSince = performance.now();
  };
}

async function scanPage(run: Run, segment: ScannedTo, number: number, part: OpenPart): Promise<ScannedTo> {
  if (segment.isDone) return segment;
  const { lines, after } = await run.snapshot.scan({ number, of: SEGMENTS, after: segment.after });
  part.add(lines.map(lineOf));
  return { after, isDone: after === null };
}

const store = (run: Run, part: OpenPart, segments: readonly ScannedTo[]): Promise<void> =>
  storePart(run, 'scan', part, ({ items }) => ({ segments, items: items + part.size.lines }));
