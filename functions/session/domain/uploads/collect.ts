import { files } from '../../../../shared/files/files.ts';
import { expiryIn, UPLOADS_PREFIX } from './upload.ts';

/** Removes the files of uploads that have expired: those that signed nothing, and those that were put again later. */
export async function collectUploads(nowMs: number, mayGoOn: () => boolean): Promise<number> {
  let removed = 0;
  for (let cursor: string | undefined, isLast = false; !isLast && mayGoOn(); ) {
    const page = await files('session').list(UPLOADS_PREFIX, { cursor });
    const expired = page.files.filter(({ key }) => !(expiryIn(key) > nowMs));
    await files('session').removeMany(expired.map(({ key }) => ({ key })));
    removed += expired.length;
    ({ cursor } = page);
    // Those that expire last are last.
    isLast = cursor === undefined || expired.length < page.files.length;
  }
  return removed;
}
