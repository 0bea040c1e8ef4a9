import { files } from '../../../../shared/files/files.ts';
import { clearPartition } from '../../../../shared/store/partition.ts';
import { uploadOf } from '../uploads/upload.ts';

/** Removes files that no document has any more, with the uploads that brought them. Doing it twice does no harm. */
export async function removeFiles(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await files('documents').remove(key);
    const uploadId = uploadOf(key);
    if (uploadId !== undefined) await clearPartition('documents', `UPLOAD#${uploadId}`);
  }
}

/** Removes what a deleted document left: its files, and the tickets and tokens to act on it. */
export async function forgetDocument(documentId: string, keys: readonly string[]): Promise<void> {
  await clearPartition('documents', `DOCUMENT#${documentId}`);
  await removeFiles(keys);
  for (;;) {
    const { files: left, cursor } = await files('documents').list(`documents/${documentId}/`);
    await Promise.all(left.map(({ key }) => files('documents').remove(key)));
    if (cursor === undefined) return;
  }
}
