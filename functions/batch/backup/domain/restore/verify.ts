import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Files } from '../../../../../shared/files/files.ts';
import { parseLine } from '../../../../../shared/store/lines/lines.ts';
import { type Manifest, readManifest } from '../manifest.ts';
import { folderOf } from '../target.ts';

/** A backup that is not as it was stored. */
export class BackupDamaged extends Error {
  override readonly name = 'BackupDamaged';
}

type PartInfo = Manifest['parts'][number];

/** The manifest of a backup. Throws BackupDamaged where there is none, or it cannot be read. */
export async function requireManifest(store: Files, backupId: string): Promise<Manifest> {
  let manifest: Manifest | undefined;
  try {
    manifest = await readManifest(store, backupId);
  } catch (error) {
    throw new BackupDamaged(`The manifest of ${backupId} cannot be read: ${(error as Error).message}`);
  }
  if (!manifest)
    throw new BackupDamaged(`There is no complete backup ${backupId}. See: npm run admin -- backup list`);
  return manifest;
}

/**
 * Reads the lines of a part as text. Throws BackupDamaged at its end where it has another hash, size or number of lines
 * than the manifest says: until then its lines are not to be trusted.
 */
export async function readPart(
  store: Files,
  backupId: string,
  part: PartInfo,
  take: (line: string) => Promise<void> | undefined,
): Promise<void> {
  const damaged = (why: string) => new BackupDamaged(`The part ${part.name} of ${backupId} ${why}.`);
  const opened = await store.get(`${folderOf(backupId)}${part.name}`);
  if (!opened) throw damaged('is not there');
  const hash = createHash('sha256');
  let lines = 0;
  let failure: { readonly error: unknown } | undefined;
  const takeLine = async (line: string): Promise<void> => {
    lines += 1;
    // The rest is read all the same: a wrong hash explains a line that cannot be read.
    if (!failure)
      await (async () => take(line))().catch((error: unknown) => {
        failure = { error };
      });
  };
  const measure = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      hash.update(chunk);
      yield chunk;
    }
  };
  const unpacked = await pipeline(opened.stream, measure, createGunzip(), (chunks: AsyncIterable<Buffer>) =>
    forEachLine(chunks, takeLine),
  ).then(
    () => undefined,
    (error: Error) => error,
  );
  if (hash.digest('hex') !== part.sha256) throw damaged('has another SHA-256 than its manifest says');
  if (unpacked) throw damaged(`cannot be unpacked: ${unpacked.message}`);
  if (failure) throw failure.error;
  if (lines !== part.lines) throw damaged(`has ${lines} lines, and its manifest says ${part.lines}`);
}

async function forEachLine(
  chunks: AsyncIterable<Buffer>,
  take: (line: string) => Promise<void>,
): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const texts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = texts.pop() ?? '';
    for (const text of texts) await take(text);
  }
  if (rest !== '') await take(rest);
}

export type Verified = { readonly manifest: Manifest; readonly lines: number };

/** Reads a whole backup: every part is there, has its SHA-256 and its lines, and every line can be read. */
export async function verifyBackup(store: Files, backupId: string): Promise<Verified> {
  const manifest = await requireManifest(store, backupId);
  let lines = 0;
  for (const part of [...manifest.parts, ...manifest.files.parts])
    await readPart(store, backupId, part, (line) => {
      lines += 1;
      try {
        if (part.kind === 'files') JSON.parse(line);
        else parseLine(line);
      } catch {
        throw new BackupDamaged(`A line of the part ${part.name} of ${backupId} cannot be read.`);
      }
      return undefined;
    });
  return { manifest, lines };
}
