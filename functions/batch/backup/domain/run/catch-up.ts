import { type Line, lineOf } from '../../../../../shared/store/lines/lines.ts';
import { CutTooSlow } from '../../../../../shared/store/snapshot/cut.ts';
import type { Backup } from '../backup.ts';
import { openPart, storePart } from './part.ts';
import type { Run } from './run.ts';

/** Changes of one round. With their items they are some megabytes. */
const CHANGES_PER_ROUND = 2_000;
/** So few are read while writers wait. */
const FEW_CHANGES = 150;
/** Under a load that leaves more, the cut is made anyway: a round takes as long as the one before. */
const MAX_ROUNDS = 12;
const MAX_FAILED_CUTS = 10;

/** Stores the items that changed since they were scanned, and at last those of one moment. True when that is stored. */
export async function catchUp(run: Run): Promise<boolean> {
  const { snapshot } = run;
  for (let round = 1; ; round++) {
    if (round > 1 && !run.hasTime()) return false;
    const changes = await snapshot.changes(CHANGES_PER_ROUND);
    if (changes.length <= FEW_CHANGES || round > MAX_ROUNDS) break;
    const { lines, read } = await snapshot.readChanged(changes);
    await store(run, lines, {});
    await snapshot.drain(read);
  }
  return cut(run);
}

// The result of the cut is in the memory of this worker alone until it is stored. Changes are recorded until then: a
// worker that takes over makes another cut, of a later moment.
async function cut(run: Run): Promise<boolean> {
  try {
    const { lines, atMs } = await run.snapshot.cut(run.now);
    await store(run, lines, { cutAtMs: atMs, phase: 'ListingFiles' });
    return true;
  } catch (error) {
    const failedCuts = run.record().failedCuts + 1;
    if (!(error instanceof CutTooSlow) || failedCuts > MAX_FAILED_CUTS) throw error;
    await run.save({ failedCuts });
    return false;
  }
}

async function store(run: Run, lines: readonly Line[], patch: Partial<Backup>): Promise<void> {
  if (lines.length === 0) return run.save(patch);
  const part = openPart();
  part.add(lines.map(lineOf));
  await storePart(run, 'patch', part, ({ items }) => ({ ...patch, items: items + part.size.lines }));
}
