import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';
import { lockFile } from '../../local/engine/lock-file.ts';
import { type Copied, copyFile, measureFile, syncFolder, syncTree, writeText } from './copy.ts';
import { markBackup } from './last-backup.ts';
import {
  type BackupFile,
  CONTENT_LIST,
  contentPath,
  DATA,
  DATABASE,
  FORMAT,
  LOCK,
  LOST_AND_FOUND,
  MANIFEST,
  MARKER,
  type Manifest,
} from './layout.ts';
import { openPool, type Pool, prune, removeUnfinished } from './pool.ts';
import { contentIds, openBeside, readSnapshot, takeSnapshot } from './snapshot.ts';

export type BackupOptions = {
  readonly dataDir: string;
  /** A folder of backups, or one to begin. */
  readonly to: string;
  /** Backups that are kept, this one included. */
  readonly keep: number;
  readonly version: string;
  readonly now?: () => number;
};

export type BackupResult = {
  readonly manifest: Manifest;
  readonly folder: string;
  /** Content that no earlier backup had. */
  readonly copied: { readonly count: number; readonly bytes: number };
  readonly removed: readonly string[];
};

/**
 * Backs up the data folder of an installation that may be running. The first backup of a folder copies everything; a
 * later one copies the database and the content that is new.
 * @example await backUp({ dataDir: '/var/lib/sinete', to: '/mnt/backup', keep: 14, version: '0.1.0' });
 */
export async function backUp(options: BackupOptions): Promise<BackupResult> {
  const { dataDir, to } = options;
  const live = openBeside(join(dataDir, 'store', DATABASE));
  try {
    await prepareTarget(to);
    const lock = await lockFile(join(to, LOCK), {
      inUse: ({ pid }) => `Another backup is being written to ${to} (process ${pid}).`,
      unwritable: 'Make the folder writable, or name another: --to DIR',
    });
    try {
      await removeUnfinished(to);
      return await write(live, options);
    } finally {
      lock.release();
    }
  } finally {
    live.close();
  }
}

async function prepareTarget(to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  if (existsSync(join(to, MARKER))) return;
  if (readdirSync(to).some((name) => name !== LOST_AND_FOUND))
    throw new CommandRefusal(
      `${to} holds other files than backups of Sinete. Name an empty folder: --to DIR`,
    );
  await writeText(join(to, MARKER), `${JSON.stringify({ format: FORMAT })}\n`);
}

async function write(live: DatabaseSync, options: BackupOptions): Promise<BackupResult> {
  const { dataDir, to, keep, version, now = Date.now } = options;
  const id = await nextId(to, now());
  const draft = join(to, `${id}.draft`);
  await mkdir(join(draft, DATA), { recursive: true, mode: 0o700 });
  const pool = await openPool({ from: join(dataDir, 'store/content'), to });
  const { rows, ids, takenAtMs } = await snapshotWithContent(live, join(draft, DATABASE), pool, now);
  const contents = [...ids].toSorted().map((each) => pool.get(each));
  const files: BackupFile[] = [];
  const add = (path: string, { bytes, sha256 }: Copied) => files.push({ path, bytes, sha256 });
  add(
    CONTENT_LIST,
    await writeText(join(draft, CONTENT_LIST), contents.map((each) => `${JSON.stringify(each)}\n`).join('')),
  );
  for (const path of otherFiles(dataDir))
    add(join(DATA, path), await copyFile(join(dataDir, path), join(draft, DATA, path)));
  add(DATABASE, await measureFile(join(draft, DATABASE)));
  const manifest: Manifest = {
    format: FORMAT,
    id,
    version,
    takenAt: new Date(takenAtMs).toISOString(),
    files,
    content: { count: contents.length, bytes: contents.reduce((sum, { bytes }) => sum + bytes, 0) },
    rows,
  };
  await writeText(join(draft, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const folder of [pool.folder, draft]) await syncTree(folder);
  await rename(draft, join(to, id));
  await syncFolder(to);
  await markBackup(dataDir, manifest.takenAt);
  const removed = await prune(to, keep);
  return { manifest, folder: join(to, id), copied: pool.copied(), removed };
}

// Two backups of one second would have one name.
async function nextId(to: string, nowMs: number): Promise<string> {
  const id = `${new Date(nowMs).toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')}Z`;
  return existsSync(join(to, id)) ? nextId(to, nowMs + 1_000) : id;
}

// Content is there before the row that refers to it, and goes after it. So a snapshot is complete if all content that it
// refers to was copied, before it or after it:
//
//   writers   |--put a--|--put b--|------------|--put c--|--delete b--|
//   backup    |--copy a--------|  |--snapshot--|  |--copy b--|           b may be gone by now: then snapshot again
//
const MAX_SNAPSHOTS = 20;

async function snapshotWithContent(live: DatabaseSync, file: string, pool: Pool, now: () => number) {
  await pool.add(contentIds(live));
  for (let attempt = 1; attempt <= MAX_SNAPSHOTS; attempt += 1) {
    await rm(file, { force: true });
    const takenAtMs = now();
    await takeSnapshot(live, file);
    const snapshot = readSnapshot(file);
    const gone = await pool.add(snapshot.ids);
    if (gone.length === 0) return { ...snapshot, takenAtMs };
    const stillNamed = new Set(contentIds(live));
    const lost = gone.find((id) => stillNamed.has(id));
    if (lost !== undefined && !existsSync(contentPath(pool.from, lost)))
      throw new CommandRefusal(
        `The store is damaged: an object's content, ${contentPath(pool.from, lost)}, is gone. Restore the last backup beside it, and copy that file from there.`,
      );
  }
  throw new CommandRefusal(
    `Objects are deleted faster than they can be copied: ${MAX_SNAPSHOTS} snapshots had content that was gone. Try again when less is going on.`,
  );
}

// The store is copied by its own rules. The others belong to the process that runs, and lost+found to the file system.
const LEFT_OUT =
  /^(last-backup\.json|store|build|lost\+found|engine\.(lock|json|log.*)|.*\.draft|restoring)$/;

/** The other files of a data folder: keys, certificates, marks. */
const otherFiles = (dataDir: string): string[] =>
  readdirSync(dataDir, { withFileTypes: true })
    .filter(({ name }) => !LEFT_OUT.test(name))
    .flatMap((entry) => {
      if (!entry.isDirectory()) return entry.isFile() ? [entry.name] : [];
      return readdirSync(join(dataDir, entry.name), { recursive: true, withFileTypes: true })
        .filter((each) => each.isFile())
        .map((each) => relative(dataDir, join(each.parentPath, each.name)));
    });
