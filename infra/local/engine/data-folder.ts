import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { LOCK_FILE, lockFolder } from './folder-lock.ts';

/** Marks a folder that the engine may fill and, with `--fresh`, empty. */
const MARKER_FILE = 'sinete-data.json';

type Marker = {
  createdAtMs: number;
  /** Set while `--fresh` empties the folder, so that a start after kill -9 finishes the work. */
  emptying?: true;
};

export type DataFolder = {
  dir: string;
  /** When it was created or last emptied. Rates count from then. */
  createdAtMs: number;
  release(): void;
};

type FolderOptions = {
  dir: string;
  /** For the lock's message. */
  port: number;
  fresh: boolean;
  /** The folder that belongs to the engine by its name, whatever is in it. */
  defaultDir: string;
};

/**
 * Creates, checks, locks and, with `fresh`, empties the data folder. A folder with other files is never used: a later
 * `--fresh` would delete them.
 * @example const data = await openDataFolder({ dir: '.local', port: 3000, fresh: false, defaultDir: '.local' })
 */
export async function openDataFolder({ dir, port, fresh, defaultDir }: FolderOptions): Promise<DataFolder> {
  refuseForeign(dir, defaultDir);
  const { release } = await lockFolder(dir, port);
  try {
    return { dir, createdAtMs: prepare(dir, fresh), release };
  } catch (error) {
    release();
    throw unusable(dir, error);
  }
}

function prepare(dir: string, fresh: boolean): number {
  const known = readMarker(dir);
  if (known && !fresh && !known.emptying) return known.createdAtMs;
  const marker: Marker = { createdAtMs: Date.now() };
  if (fresh || known?.emptying) {
    writeMarker(dir, { ...marker, emptying: true });
    empty(dir);
  }
  writeMarker(dir, marker);
  return marker.createdAtMs;
}

const unusable = (dir: string, error: unknown): Error =>
  new Error(`The data folder ${dir} cannot be used: ${reasonOf(error)}. Choose another: --data DIR`);

function refuseForeign(dir: string, defaultDir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const isOurs = dir === defaultDir || existsSync(join(dir, MARKER_FILE));
    if (isOurs || readdirSync(dir).every((name) => name === LOCK_FILE)) return;
  } catch (error) {
    throw unusable(dir, error);
  }
  throw new Error(
    `${dir} holds files that are not Sinete's, so nothing was touched. Choose an empty folder: --data DIR`,
  );
}

function empty(dir: string): void {
  for (const name of readdirSync(dir)) {
    if (name !== MARKER_FILE && name !== LOCK_FILE) rmSync(join(dir, name), { recursive: true, force: true });
  }
}

function readMarker(dir: string): Marker | undefined {
  try {
    const { createdAtMs, emptying } = JSON.parse(readFileSync(join(dir, MARKER_FILE), 'utf8'));
    if (emptying === true) return { createdAtMs: Date.now(), emptying };
    // Rates count from this time: a wrong value would stop them, or start all at once.
    const isPast = Number.isFinite(createdAtMs) && createdAtMs > 0 && createdAtMs <= Date.now();
    return isPast ? { createdAtMs } : undefined;
  } catch {
    return undefined;
  }
}

/** Renamed into place: a reader sees the marker whole, or the one before. */
function writeMarker(dir: string, marker: Marker): void {
  const draft = join(dir, `${MARKER_FILE}.draft`);
  writeFileSync(draft, JSON.stringify(marker), { mode: 0o600 });
  renameSync(draft, join(dir, MARKER_FILE));
}
