import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readdirSync } from 'node:fs';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sha256Of } from '../../../shared/files/sha256.ts';

export type Copied = { readonly bytes: number; readonly sha256: string };

/**
 * Copies a file and measures it on the way. It is on the disk before it has its name, so a file by that name is whole.
 * `accept` may refuse the copy by throwing.
 * @example const { sha256 } = await copyFile('store/content/3f/3f9a', 'backup/content/3f/3f9a');
 */
export async function copyFile(
  from: string,
  to: string,
  accept: (copied: Copied) => void = () => undefined,
): Promise<Copied> {
  const hash = createHash('sha256');
  let bytes = 0;
  const draft = `${to}.draft`;
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  try {
    await pipeline(
      createReadStream(from),
      async function* measure(chunks: AsyncIterable<Buffer>) {
        for await (const chunk of chunks) {
          bytes += chunk.length;
          hash.update(chunk);
          yield chunk;
        }
      },
      createWriteStream(draft, { mode: 0o600, flush: true }),
    );
    const copied = { bytes, sha256: hash.digest('hex') };
    accept(copied);
    await rename(draft, to);
    return copied;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The size and hash of a file that is there. */
export const measureFile = async (path: string): Promise<Copied> => ({
  bytes: (await stat(path)).size,
  sha256: await sha256Of(createReadStream(path)),
});

/** Writes a text as `copyFile` writes a copy. */
export async function writeText(path: string, text: string): Promise<Copied> {
  const draft = `${path}.draft`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
  return { bytes: Buffer.byteLength(text), sha256: createHash('sha256').update(text).digest('hex') };
}

/** Puts the names in a folder on the disk: a rename alone is lost in a power cut. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** The same with all folders below it. */
export async function syncTree(folder: string): Promise<void> {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await syncFolder(join(entry.parentPath, entry.name));
  await syncFolder(folder);
}
