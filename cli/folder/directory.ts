import { createHash } from 'node:crypto';
import { lstat, open, readdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isIgnoredName } from '../../functions/batch/folders/domain/ignored-name.ts';

/** A file of the directory, as it looks without reading it. */
export type LocalFile = {
  readonly name: string;
  readonly length: number;
  readonly mtimeMs: number;
  /** Stays when the file is renamed. */
  readonly ino: number;
};

export const isSameLook = (
  a: Pick<LocalFile, 'length' | 'mtimeMs' | 'ino'>,
  b: Pick<LocalFile, 'length' | 'mtimeMs' | 'ino'>,
): boolean => a.length === b.length && a.mtimeMs === b.mtimeMs && a.ino === b.ino;

/** The files of a directory that the service would take, by name. */
export async function listFiles(dir: string): Promise<ReadonlyMap<string, LocalFile>> {
  const entries = await readdir(dir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isFile() && !isIgnoredName(entry.name));
  const found = await Promise.all(names.map(({ name }) => lookAt(dir, name)));
  return new Map(found.flatMap((file) => (file ? [[file.name, file]] : [])));
}

/** Undefined where there is no such file. */
export async function lookAt(dir: string, name: string): Promise<LocalFile | undefined> {
  try {
    const { size, mtimeMs, ino } = await lstat(join(dir, name));
    return { name, length: size, mtimeMs, ino };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The SHA-256 of a stream, in hexadecimal. */
export async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of chunks) hash.update(chunk);
  return hash.digest('hex');
}

/** The hash of a file and how it looks, or undefined where it is gone or changes meanwhile. */
export async function measure(
  dir: string,
  name: string,
): Promise<(LocalFile & { sha256: string }) | undefined> {
  const handle = await open(join(dir, name)).catch((error) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (!handle) return undefined;
  try {
    const sha256 = await hashOf(handle.createReadStream({ autoClose: false, start: 0 }));
    const { size, mtimeMs, ino } = await handle.stat();
    const look = await lookAt(dir, name);
    return look && isSameLook(look, { length: size, mtimeMs, ino }) ? { ...look, sha256 } : undefined;
  } finally {
    await handle.close();
  }
}

/** Removes a file only if its content still is the known one. */
export async function removeIfSame(
  dir: string,
  name: string,
  sha256: string,
): Promise<'removed' | 'changed' | 'gone'> {
  if (!(await lookAt(dir, name))) return 'gone';
  const found = await measure(dir, name);
  if (found?.sha256 !== sha256) return 'changed';
  // Between this look and the removal are microseconds. A program that writes in them loses what it wrote.
  const look = await lookAt(dir, name);
  if (!look || !isSameLook(look, found)) return 'changed';
  await unlink(join(dir, name));
  return 'removed';
}
