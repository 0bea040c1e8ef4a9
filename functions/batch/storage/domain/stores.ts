import { type Files, files } from '../../../../shared/files/files.ts';
import { settings } from '../../settings.ts';
import { openShare } from './share.ts';

/** Where inputs are: the service's own bucket (null), or a share. */
export const inputFiles = async (share: string | null): Promise<Files> =>
  share === null ? files('batch') : files(await openShare(share));

/** Where processing/, output/ and error/ are: the service's own bucket, or the share of Storage:Work. */
export async function workFiles(): Promise<Files> {
  const work = settings['Storage:Work'];
  if (work === undefined) return files('batch');
  const { bucket, prefix } = await openShare(work.share);
  return files({ bucket, prefix: [prefix, work.prefix].filter((part) => part !== '').join('/') });
}

/** Whether inputs of this place are in the bucket in which the service works, so that S3 copies them by itself. */
export const isWorkStore = (share: string | null): boolean =>
  share === null && settings['Storage:Work'] === undefined;

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
