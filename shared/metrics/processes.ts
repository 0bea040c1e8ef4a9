import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onStop } from '../async/on-stop.ts';
import { processWide } from '../async/process-wide.ts';
import { countedSeries, onCounted, type Series } from './count.ts';

// The processes of one engine or host count each for itself, and one of them is asked:
//
//   http      counts ----- asked: reads all files, adds them up
//   queues 1  counts -- writes its file, at most once a second --
//   queues 2  counts -- writes its file -- ends: its file stays, so that no sum ever falls
//
// The folder is the parent's, and new at each start.

/** The environment variable with the folder, for the processes of an engine or host. */
export const METRICS_FOLDER = 'SINETE_METRICS_FOLDER';

const WRITE_EVERY_MS = 1_000;

/** Has this process write its counts for the one that is asked, once it is told the folder. */
export function shareMetrics(): void {
  const folder = process.env[METRICS_FOLDER];
  if (folder === undefined) return;
  let timer: NodeJS.Timeout | undefined;
  const write = (): void => {
    clearTimeout(timer);
    timer = undefined;
    writeCounts(folder);
  };
  onCounted(() => {
    timer ??= setTimeout(write, WRITE_EVERY_MS).unref();
  });
  onStop(async () => write());
}

const ownName = processWide('metrics-file', () => `${process.pid}-${Math.floor(performance.timeOrigin)}`);

/** Whole or not at all: somebody may read it. A disk that is full costs counts, and no call. */
function writeCounts(folder: string): void {
  try {
    const path = join(folder, ownName);
    writeFileSync(`${path}.new`, JSON.stringify(countedSeries()));
    renameSync(`${path}.new`, `${path}.json`);
  } catch {
    // The next count tries again.
  }
}

/** What every process has counted, this one's as of now. */
export function readProcesses(): readonly (readonly Series[])[] {
  const folder = process.env[METRICS_FOLDER];
  const own = countedSeries();
  if (folder === undefined) return [own];
  const others = readdirSync(folder).filter((name) => name.endsWith('.json') && name !== `${ownName}.json`);
  return [own, ...others.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Series[])];
}
