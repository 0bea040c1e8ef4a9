import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createGzip } from 'node:zlib';
import type { Files } from '../../../../../shared/files/files.ts';
import { rewrapAll } from '../../../../../shared/keyring/envelope.ts';
import { keyIdOfMac } from '../../../../../shared/keyring/stored.ts';
import type { Ring, RingKey } from '../../../../../shared/settings/keyring.ts';
import type { Part } from './backup.ts';
import { BackupDamaged, putManifest, readManifest, requireManifest } from './manifest.ts';
import { readPart } from './restore/verify.ts';
import { folderOf, keysBelow, manifestKey } from './target.ts';

// A part is replaced by a file of another name, and all of them by one write of the manifest:
//
//   manifest of K1 names parts of K1     |--parts of K2 are written beside them--|
//   manifest of K2 names parts of K2     |--parts of K1 are deleted--|
//
// Whenever the command is killed, the manifest that is there names parts that are there. Commands that run at once write parts
// of different names. Unnamed parts are deleted by the next command, those of a command that may still run a day later.

type RewrapKeys = { readonly ring: Ring; readonly to: RingKey };

/** Wraps every value of a complete backup with a key, and authenticates its manifest with it. Throws BackupDamaged. */
export async function rewrapBackup(
  store: Files,
  backupId: string,
  keys: RewrapKeys,
  nowMs: number,
): Promise<void> {
  const { hmac } = await readManifest(store, backupId);
  // Only what is authentic is authenticated again.
  const manifest = await requireManifest(store, backupId);
  const parts: Part[] = [];
  for (const part of manifest.parts)
    parts.push(part.kind === 'items' ? await rewrapPart(store, backupId, part, keys, nowMs) : part);
  if (keyIdOfMac(hmac) !== keys.to.id || parts.some((part, n) => part !== manifest.parts[n])) {
    if ((await readManifest(store, backupId)).hmac !== hmac)
      throw new BackupDamaged(`The backup ${backupId} was rewritten by another command meanwhile.`);
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    await putManifest(store, { ...manifest, parts, counts: { ...manifest.counts, bytes } }, keys.to);
    await requireParts(store, backupId, parts);
  }
  await removeUnnamed(store, backupId, { parts, before: manifest.parts }, nowMs);
}

/** The same part where no value of it names an older key, or a new one in its place. */
async function rewrapPart(
  store: Files,
  backupId: string,
  part: Part,
  { ring, to }: RewrapKeys,
  nowMs: number,
): Promise<Part> {
  let isOlder = false;
  await readPart(store, backupId, part, (line) => {
    isOlder ||= rewrapAll(ring, to, line) !== line;
    return undefined;
  });
  if (!isOlder) return part;
  const name = newName(part.name, nowMs);
  const zipped = createGzip();
  const failed = new AbortController();
  const storing = store
    .put(`${folderOf(backupId)}${name}`, zipped, { contentType: 'application/gzip' })
    .catch((error: unknown) => {
      failed.abort();
      throw error;
    });
  const reading = readPart(store, backupId, part, (line) =>
    zipped.write(`${rewrapAll(ring, to, line)}\n`)
      ? undefined
      : once(zipped, 'drain', { signal: failed.signal }).then(() => undefined),
  ).then(
    () => void zipped.end(),
    (error: Error) => {
      zipped.destroy(error);
      throw error;
    },
  );
  const [{ length, sha256 }] = await Promise.all([storing, reading]);
  return { ...part, name, bytes: length, sha256 };
}

const REWRITTEN = /-r(\d{13})-[0-9a-f]{8}(?=\.json\.gz$)/;

const newName = (name: string, nowMs: number): string =>
  name.replace(REWRITTEN, '').replace(/\.json\.gz$/, `-r${nowMs}-${randomBytes(4).toString('hex')}$&`);

/** A backup that was deleted at this moment stays deleted. */
async function requireParts(store: Files, backupId: string, parts: readonly Part[]): Promise<void> {
  for (const { name } of parts) {
    if (await store.head(`${folderOf(backupId)}${name}`)) continue;
    await store.remove(manifestKey(backupId));
    throw new BackupDamaged(`The backup ${backupId} was deleted meanwhile.`);
  }
}

const DATA = /^AWSDynamoDB\/[\w-]+\/data\/[\w-]+\.json\.gz$/;
const MAX_COMMAND_MS = 86_400_000;

async function removeUnnamed(
  store: Files,
  backupId: string,
  { parts, before }: { readonly parts: readonly Part[]; readonly before: readonly Part[] },
  nowMs: number,
): Promise<void> {
  const isNamed = new Set(parts.map(({ name }) => name));
  const isReplaced = new Set(before.map(({ name }) => name));
  const doomed: { readonly key: string }[] = [];
  for await (const keys of keysBelow(store, folderOf(backupId)))
    for (const key of keys) {
      const name = key.slice(folderOf(backupId).length);
      const writtenAtMs = Number(REWRITTEN.exec(name)?.[1] ?? 0);
      const isLeft = isReplaced.has(name) || nowMs - writtenAtMs > MAX_COMMAND_MS;
      if (DATA.test(name) && !isNamed.has(name) && isLeft) doomed.push({ key });
    }
  const { failed } = await store.removeMany(doomed);
  const [first] = failed.values();
  if (first !== undefined) throw first;
}
