// A folder of backups. Content is shared by them: its ids never change, so what one backup has, the next need not copy.
//
//   sinete-backups.json           marks the folder
//   content/3f/3f9a…              content of objects
//   20261117-021500Z/             one backup
//     manifest.json               written last: with it the backup is complete
//     content.jsonl               id, bytes and SHA-256 of the content that it refers to
//     store.db                    tables, queues and the rows of objects, as they were at one moment
//     data/sealing.keys           and whatever else is in the data folder
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandRefusal } from '../../../shared/command-line/reason.ts';

export const FORMAT = 1;
export const MARKER = 'sinete-backups.json';
export const LOCK = 'backup.lock';
export const MANIFEST = 'manifest.json';
export const CONTENT_LIST = 'content.jsonl';
export const DATABASE = 'store.db';
export const DATA = 'data';
/** The root of a new disk may have it. */
export const LOST_AND_FOUND = 'lost+found';
export const BACKUP_NAME = /^\d{8}-\d{6}Z$/;

const File = z.object({ path: z.string(), bytes: z.number(), sha256: z.string() });
const Manifest = z.object({
  format: z.literal(FORMAT),
  id: z.string(),
  version: z.string(),
  /** The moment that the backup is of. */
  takenAt: z.string(),
  files: z.array(File),
  content: z.object({ count: z.number(), bytes: z.number() }),
  /** Rows of each table of the database. */
  rows: z.record(z.string(), z.number()),
});
const Content = z.object({ id: z.string(), bytes: z.number(), sha256: z.string() });

export type BackupFile = z.infer<typeof File>;
export type Manifest = z.infer<typeof Manifest>;
/** The content of an object, by the id that its row has. */
export type Content = z.infer<typeof Content>;

/** @example contentPath('/backup/content', '3f9a…') // '/backup/content/3f/3f9a…' */
export const contentPath = (folder: string, id: string): string => join(folder, id.slice(0, 2), id);

/** The complete backups of a folder, oldest first. */
export const completeBackups = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => BACKUP_NAME.test(name) && existsSync(join(folder, name, MANIFEST)))
    .toSorted();

/** Throws `CommandRefusal` where it cannot be read. */
export function readManifest(backup: string): Manifest {
  const path = join(backup, MANIFEST);
  try {
    return Manifest.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    throw new CommandRefusal(`${path} cannot be read, or another version of Sinete wrote it.`);
  }
}

export const readContentList = (backup: string): Content[] =>
  readFileSync(join(backup, CONTENT_LIST), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Content.parse(JSON.parse(line)));
