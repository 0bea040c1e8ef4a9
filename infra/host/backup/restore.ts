import { existsSync, readdirSync, statSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { forEachConcurrently } from '../../../shared/async/for-each-concurrently.ts';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';
import { openDatabase } from '../../../shared/embedded/database.ts';
import { LOCK_FILE, lockFolder } from '../../local/engine/folder-lock.ts';
import { type Copied, copyFile, measureFile, syncFolder, syncTree } from './copy.ts';
import {
  type BackupFile,
  CONTENT_LIST,
  type Content,
  completeBackups,
  contentPath,
  DATA,
  DATABASE,
  LOST_AND_FOUND,
  MANIFEST,
  MARKER,
  type Manifest,
  readContentList,
  readManifest,
} from './layout.ts';
import { readSnapshot } from './snapshot.ts';

/** Beside the data while it is written. A start of the host does not look there. */
const DRAFT = 'restoring';
const FILES_AT_ONCE = 8;

/** The folder of a backup: the one that is named, or the newest of a folder of backups. */
export function findBackup(from: string): string {
  if (existsSync(join(from, MANIFEST))) return from;
  if (!existsSync(join(from, MARKER)))
    throw new CommandRefusal(
      existsSync(join(dirname(from), MARKER))
        ? `${from} is not complete: it has no ${MANIFEST}. Name another backup.`
        : `${from} is no folder of backups, and no backup. Name one: --from DIR`,
    );
  const newest = completeBackups(from).at(-1);
  if (!newest) throw new CommandRefusal(`${from} has no complete backup.`);
  return join(from, newest);
}

/**
 * Reads a whole backup: every file is there and has its SHA-256, and the database refers to no content that is not.
 * @example await verifyBackup(findBackup('/mnt/backup'));
 */
export async function verifyBackup(backup: string): Promise<Manifest> {
  const manifest = readManifest(backup);
  await forEachConcurrently(FILES_AT_ONCE, await contentsOf(backup, manifest), (content) =>
    requireSame(contentPath(poolOf(backup), content.id), content),
  );
  return manifest;
}

/**
 * Restores a backup into a data folder that is empty. Nothing has its name there until everything is written and right.
 * @example await restore(findBackup('/mnt/backup'), '/var/lib/sinete');
 */
export async function restore(backup: string, dataDir: string): Promise<Manifest> {
  const manifest = readManifest(backup);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const lock = await lockFolder(dataDir, 0);
  const draft = join(dataDir, DRAFT);
  try {
    await requireEmpty(dataDir);
    const contents = await contentsOf(backup, manifest);
    await forEachConcurrently(FILES_AT_ONCE, manifest.files, async (file) => {
      const to = placeOf(file);
      if (to) await copyChecked(pathOf(backup, file), join(draft, to), file);
    });
    await forEachConcurrently(FILES_AT_ONCE, contents, (content) =>
      copyChecked(
        contentPath(poolOf(backup), content.id),
        contentPath(join(draft, 'store/content'), content.id),
        content,
      ),
    );
    openDatabase(join(draft, 'store')).close();
    await syncTree(draft);
    // The store last: a folder without it has nothing, and one with it has the keys that open its secrets.
    const names = readdirSync(draft).toSorted((a, b) => Number(a === 'store') - Number(b === 'store'));
    for (const name of names) await rename(join(draft, name), join(dataDir, name));
    await syncFolder(dataDir);
    return manifest;
  } finally {
    await rm(draft, { recursive: true, force: true });
    lock.release();
  }
}

// A restore that was killed has left its draft, and at most some files that have their names already.
async function requireEmpty(dataDir: string): Promise<void> {
  await rm(join(dataDir, DRAFT), { recursive: true, force: true });
  const [found] = readdirSync(dataDir).filter((name) => name !== LOCK_FILE && name !== LOST_AND_FOUND);
  if (found !== undefined)
    throw new CommandRefusal(
      `${dataDir} is not empty: it has ${found}. A backup is restored into an empty folder only. Move the old one away, or name another: --data DIR`,
    );
}

const poolOf = (backup: string): string => join(dirname(backup), 'content');

/**
 * The content of a backup, all of it there. Checked before anything is written: the files have their hashes, and the
 * database agrees with the manifest and the list.
 */
async function contentsOf(backup: string, manifest: Manifest): Promise<Content[]> {
  await forEachConcurrently(FILES_AT_ONCE, manifest.files, (file) => requireSame(pathOf(backup, file), file));
  for (const path of [CONTENT_LIST, DATABASE])
    if (!manifest.files.some((file) => file.path === path))
      throw damaged(join(backup, MANIFEST), `it does not name ${path}`);
  const contents = readContentList(backup);
  const { ids, rows } = readSnapshot(join(backup, DATABASE));
  const listed = new Set(contents.map(({ id }) => id));
  if (listed.size !== manifest.content.count || !ids.isSubsetOf(listed))
    throw damaged(join(backup, CONTENT_LIST), 'it does not have all content that the database refers to');
  for (const [table, count] of Object.entries(manifest.rows))
    if (rows[table] !== count)
      throw damaged(
        join(backup, DATABASE),
        `it has ${rows[table] ?? 'no'} rows in ${table}, and not ${count}`,
      );
  for (const { id, bytes } of contents) requirePresent(contentPath(poolOf(backup), id), bytes);
  return contents;
}

function requirePresent(path: string, bytes: number): void {
  const size = statSync(path, { throwIfNoEntry: false })?.size;
  if (size === undefined) throw damaged(path, 'it is missing');
  if (size !== bytes) throw damaged(path, `it has ${size} bytes, and not ${bytes}`);
}

/** The path of a file of the manifest. It cannot lead out of the backup. */
function pathOf(backup: string, { path }: BackupFile): string {
  if (normalize(path) !== path || path.startsWith('..') || path.startsWith('/'))
    throw damaged(join(backup, MANIFEST), `it names the file ${path}`);
  return join(backup, path);
}

const placeOf = ({ path }: BackupFile): string | undefined => {
  if (path === DATABASE) return join('store', DATABASE);
  return path.startsWith(`${DATA}/`) ? path.slice(DATA.length + 1) : undefined;
};

const copyChecked = async (from: string, to: string, expected: Copied): Promise<void> =>
  void (await copyFile(from, to, compare(from, expected)));

async function requireSame(path: string, expected: Copied): Promise<void> {
  requirePresent(path, expected.bytes);
  compare(path, expected)(await measureFile(path));
}

const compare =
  (path: string, { bytes, sha256 }: Copied) =>
  (found: Copied): void => {
    if (found.bytes !== bytes || found.sha256 !== sha256)
      throw damaged(path, 'it does not have the SHA-256 of the manifest');
  };

const damaged = (path: string, how: string): Error =>
  new CommandRefusal(`The backup is damaged: ${path}: ${how}. Nothing was restored. Use another backup.`);
