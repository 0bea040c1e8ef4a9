import { Problem } from '../../../../shared/errors/errors.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { type Files, files } from '../../../../shared/files/files.ts';
import type { FileInfo } from '../../../../shared/files/get.ts';
import { settings } from '../../settings.ts';
import { openShare, ShareUnusable } from './share.ts';
import { openWorkShare } from './work-owner.ts';

/** Where inputs are: the service's own bucket (null), or a share. */
export const inputFiles = async (share: string | null): Promise<Files> =>
  share === null ? files('batch') : files(await openShare(share));

/**
 * Where processing/, output/ and error/ are: the service's own bucket, or the share of Storage:Work. Throws ShareUnusable
 * while another installation holds that share.
 */
export async function workFiles(): Promise<Files> {
  const work = settings['Storage:Work'];
  return work === undefined ? files('batch') : openWorkShare(work);
}

/**
 * What a caller waits for in the work store. A share that is another installation's, or cannot be opened, is out of reach
 * as one that does not answer.
 */
export async function withWorkInReach<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ShareUnusable) throw new Problem('unavailable', { reason: error.message });
    throw error;
  }
}

/** Whether jobs can be worked on now. While they cannot, they wait. */
export async function isWorkStoreUsable(): Promise<boolean> {
  return workFiles().then(() => true, ifThrown(ShareUnusable, false));
}

/** Whether inputs of this place are in the bucket in which the service works, so that S3 copies them by itself. */
export const isWorkStore = (share: string | null): boolean =>
  share === null && settings['Storage:Work'] === undefined;

/** Copies a file of the work store into the service's own bucket. Undefined when there is none. */
export async function copyFromWork(from: string, to: string): Promise<FileInfo | undefined> {
  const [work, own] = [await workFiles(), files('batch')];
  if (isWorkStore(null)) return (await own.copy(from, to)) === 'gone' ? undefined : own.head(to);
  const opened = await work.get(from);
  if (!opened) return undefined;
  await own.put(to, opened.stream, { contentType: opened.contentType });
  return own.head(to);
}

/**
 * Moves an input to a place in the work store: the copy first, then the source, unless it has changed meanwhile. With an
 * entity tag, an input with another one stays. A repeated or interrupted move ends the same way.
 */
export async function moveInput(
  { share, key }: { readonly share: string | null; readonly key: string },
  to: string,
  etag?: string,
): Promise<'moved' | 'changed' | 'gone'> {
  const [input, work] = await Promise.all([inputFiles(share), workFiles()]);
  if (isWorkStore(share)) return work.move(key, to, etag);
  const opened = await input.get(key);
  if (!opened) return (await work.head(to)) ? 'moved' : 'gone';
  if (etag !== undefined && opened.etag !== etag) {
    opened.stream.destroy();
    return 'changed';
  }
  const { length, sha256 } = await work.put(to, opened.stream, { contentType: opened.contentType });
  const outcome = await input.deleteIfSame(key, { length, sha256, etag: opened.etag });
  return outcome === 'changed' ? 'changed' : 'moved';
}
