import { constants, createGzip } from 'node:zlib';
import { type Backup, type Part, storedParts } from '../backup.ts';
import { folderOf, targetFiles } from '../target.ts';
import type { Run } from './run.ts';

/** About so much text is one part. A worker has two of them in its memory. */
export const PART_BYTES = 8 * 1024 * 1024;

const NUMBER_DIGITS = 4;

/** Lines that are compressed as they come. */
export function openPart() {
  const gzip = createGzip({ level: constants.Z_BEST_SPEED });
  const chunks: Buffer[] = [];
  gzip.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => gzip.on('end', resolve).on('error', reject));
  const size = { lines: 0, bytes: 0 };
  return {
    size,
    /** Texts of whole lines. */
    add(lines: readonly string[]): void {
      const text = lines.join('');
      gzip.write(text);
      size.lines += lines.length;
      size.bytes += text.length;
    },
    /** The compressed bytes. */
    async end(): Promise<Buffer> {
      gzip.end();
      await ended;
      return Buffer.concat(chunks);
    },
  };
}

export type OpenPart = ReturnType<typeof openPart>;

/** Stores a part, and then the progress with it. Throws TakenOver; the file is deleted then. */
export async function storePart(
  run: Run,
  kind: Part['kind'],
  part: OpenPart,
  progress: (record: Backup) => Partial<Backup>,
): Promise<void> {
  const bytes = await part.end();
  const { id: backupId, nextPart: number, parts, bytes: storedBytes } = run.record();
  const name = `${kind === 'files' ? 'files' : 'part'}-${String(number).padStart(NUMBER_DIGITS, '0')}.jsonl.gz`;
  const store = await targetFiles();
  const key = `${folderOf(backupId)}${name}`;
  const { length, sha256 } = await store.put(key, bytes, { contentType: 'application/gzip' });
  const stored = { backupId, number, name, kind, lines: part.size.lines, bytes: length, sha256 };
  try {
    await run.save(
      {
        nextPart: number + 1,
        parts: parts + 1,
        bytes: storedBytes + length,
        ...progress(run.record()),
      },
      [storedParts.creating(stored)],
    );
  } catch (error) {
    await store.remove(key).catch(() => undefined);
    throw error;
  }
}
