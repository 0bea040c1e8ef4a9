import * as z from 'zod';
import type { Files } from '../../../../../shared/files/files.ts';
import { authenticate, authenticateBy, whyNotAuthentic } from '../../../../../shared/keyring/stored.ts';
import type { RingKey } from '../../../../../shared/settings/keyring.ts';
import { type Backup, bytesOf, Part } from './backup.ts';
import { BACKUPS_FOLDER, keysBelow, manifestKey, targetFiles } from './target.ts';

/** A backup that is not as it was stored. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
}

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
  parts: z.array(Part),
  counts: z.object({ items: z.int(), bytes: z.int() }),
  /** The files that existed, with length and entity tag. They are not in the backup. */
  files: z.object({ count: z.int(), bytes: z.int() }),
});
export type Manifest = z.infer<typeof Manifest>;

const StoredManifest = Manifest.extend({ hmac: z.string() });

const ABOUT = 'batch backup manifest';

// The fields in the order of the schema, so that it is the same however the file is written.
const textOf = (manifest: Manifest): string => JSON.stringify(Manifest.parse(manifest));

/** Writes the manifest of a backup all of whose parts are stored. The same however often it is written. */
export async function storeManifest(backup: Backup): Promise<void> {
  const lists = backup.parts.filter(({ kind }) => kind === 'files');
  const manifest: Manifest = {
    id: backup.id,
    service: 'batch',
    version: 1,
    startedAt: new Date(backup.startedAtMs).toISOString(),
    cutAt: new Date(backup.cutAtMs ?? backup.startedAtMs).toISOString(),
    instance: backup.instance,
    by: backup.by,
    parts: [...backup.parts],
    counts: { items: backup.items, bytes: bytesOf(backup) },
    files: { count: lists.reduce((sum, { lines }) => sum + lines, 0), bytes: backup.fileBytes },
  };
  await putManifest(await targetFiles(), manifest);
}

/** Writes a manifest, authenticated by this key of the ring, or by the newest one. */
export async function putManifest(store: Files, manifest: Manifest, by?: RingKey): Promise<void> {
  const signed = textOf(manifest);
  const hmac = by ? authenticateBy(by, ABOUT, signed) : await authenticate(ABOUT, signed);
  const text = `${JSON.stringify({ ...manifest, hmac }, null, 2)}\n`;
  await store.put(manifestKey(manifest.id), Buffer.from(text), { contentType: 'application/json' });
}

// Some 250 bytes a part.
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

/** The manifest of a backup, as it is there. Throws BackupDamaged where there is none, or it cannot be read. */
export async function readManifest(store: Files, backupId: string): Promise<z.infer<typeof StoredManifest>> {
  const bytes = await store.read(manifestKey(backupId), MAX_MANIFEST_BYTES);
  if (!bytes)
    throw new BackupDamaged(`There is no complete backup ${backupId}. See: npm run admin -- backup list`);
  try {
    const manifest = StoredManifest.parse(JSON.parse(bytes.toString('utf8')));
    if (manifest.id === backupId) return manifest;
  } catch {}
  throw new BackupDamaged(`The manifest of ${backupId} is not one that this version can read.`);
}

/** The same, if it was written with a key of this stage's ring and not changed since. Throws BackupDamaged. */
export async function requireManifest(store: Files, backupId: string): Promise<Manifest> {
  const { hmac, ...manifest } = await readManifest(store, backupId);
  const why = await whyNotAuthentic(ABOUT, textOf(manifest), hmac);
  if (why !== undefined)
    throw new BackupDamaged(
      `The manifest of ${backupId} cannot be trusted, and nothing of that backup: ${why}`,
    );
  return manifest;
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
