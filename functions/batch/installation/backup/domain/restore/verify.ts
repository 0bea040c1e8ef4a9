import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Files } from '../../../../../../shared/files/files.ts';
import { parseLine } from '../../../../../../shared/store/lines/lines.ts';
import { BackupDamaged, type Manifest, requireManifest } from '../manifest.ts';
import { folderOf } from '../target.ts';

type PartInfo = Manifest['parts'][number];

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

/** Reads a whole backup: its manifest is the one that was written, and every part is there, has its SHA-256 and its lines, and every line can be read. */
export async function verifyBackup(store: Files, backupId: string): Promise<Verified> {
  const manifest = await requireManifest(store, backupId);
  let lines = 0;
  for (const part of manifest.parts)
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
