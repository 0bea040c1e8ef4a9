import * as z from 'zod';
import type { Files } from '../../../../shared/files/files.ts';
import { pageByCursor } from '../../../../shared/store/cursor.ts';
import { type Backup, partsOf, storedParts } from './backup.ts';
import { BACKUPS_FOLDER, keysBelow, manifestKey } from './target.ts';

const PartInfo = z.object({
  name: z.string().regex(/^[a-z]+-\d+\.jsonl\.gz$/),
  kind: z.enum(['scan', 'patch', 'files']),
  lines: z.int(),
  bytes: z.int(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** What a backup consists of. It is written last: a folder without it is no backup. */
export const Manifest = z.object({
  id: z.string(),
  service: z.literal('batch'),
  /** Of this form of a backup. */
  version: z.literal(1),
  startedAt: z.iso.datetime(),
  /** The moment that it is a snapshot of. */
  cutAt: z.iso.datetime(),
  instance: z.string(),
  by: z.string().nullable(),
  /** In the order in which a restore reads them: of one key, the last line counts. */
  parts: z.array(PartInfo),
  counts: z.object({ lines: z.int(), bytes: z.int() }),
  /** The files that existed, with length and entity tag. They are not in the backup. */
  files: z.object({ parts: z.array(PartInfo), count: z.int(), bytes: z.int() }),
});
export type Manifest = z.infer<typeof Manifest>;

const PAGE_SIZE = 500;

/** The manifest of a backup all of whose parts are stored. The same however often it is made. */
export async function manifestOf(backup: Backup): Promise<Manifest> {
  const parts: Manifest['parts'] = [];
  let cursor: string | undefined;
  do {
    const page = await pageByCursor(storedParts, {
      ...partsOf(backup.id),
      limit: PAGE_SIZE,
      ...(cursor && { cursor }),
    });
    if (!('items' in page)) break;
    for (const { name, kind, lines, bytes, sha256 } of page.items)
      parts.push({ name, kind, lines, bytes, sha256 });
    cursor = page.next;
  } while (cursor);
  const [items, lists] = [
    parts.filter(({ kind }) => kind !== 'files'),
    parts.filter(({ kind }) => kind === 'files'),
  ];
  return {
    id: backup.id,
    service: 'batch',
    version: 1,
    startedAt: new Date(backup.startedAtMs).toISOString(),
    cutAt: new Date(backup.cutAtMs ?? backup.startedAtMs).toISOString(),
    instance: backup.instance,
    by: backup.by,
    parts: items,
    counts: { lines: sum(items, 'lines'), bytes: sum(items, 'bytes') },
    files: { parts: lists, count: sum(lists, 'lines'), bytes: backup.fileBytes },
  };
}

const sum = (parts: Manifest['parts'], field: 'lines' | 'bytes'): number =>
  parts.reduce((total, part) => total + part[field], 0);

// Some 150 bytes a part: parts of 800 GB.
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

/** The manifest of a backup. Undefined where there is no such backup; throws where it cannot be read. */
export async function readManifest(store: Files, backupId: string): Promise<Manifest | undefined> {
  const bytes = await store.read(manifestKey(backupId), MAX_MANIFEST_BYTES);
  if (!bytes) return undefined;
  const parsed = Manifest.safeParse(JSON.parse(bytes.toString('utf8')));
  if (!parsed.success || parsed.data.id !== backupId)
    throw new Error(`The manifest of ${backupId} is not one that this version can read.`);
  return parsed.data;
}

const MANIFEST = /^backups\/([^/]+)\/manifest\.json$/;

/** The ids of all backups of a store that are complete, newest first. */
export async function completeBackups(store: Files): Promise<string[]> {
  const ids: string[] = [];
  for await (const keys of keysBelow(store, BACKUPS_FOLDER))
    for (const key of keys) {
      const [, id] = MANIFEST.exec(key) ?? [];
      if (id !== undefined) ids.push(id);
    }
  return ids.toSorted().toReversed();
}
