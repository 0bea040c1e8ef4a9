import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The folder of a job on this worker's disk, made when it is first asked for: a small file needs none. */
export type WorkFolder = () => Promise<string>;

/** Removes the folder after the work. @example await withWorkFolder(async (folder) => writeFile(join(await folder(), 'input'), bytes)) */
export async function withWorkFolder<T>(work: (folder: WorkFolder) => Promise<T>): Promise<T> {
  let made: Promise<string> | undefined;
  try {
    return await work(() => (made ??= mkdtemp(join(tmpdir(), 'sinete-job-'))));
  } finally {
    if (made) await rm(await made, { recursive: true, force: true });
  }
}
