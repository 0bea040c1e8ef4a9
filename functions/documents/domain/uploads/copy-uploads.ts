import { forEachConcurrently } from '../../../../shared/async/for-each-concurrently.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { fileOf, recordUpload, type Upload } from './upload.ts';

const COPIED_AT_ONCE = 8;

type Uploads = ReadonlyMap<string, Stored<Upload>>;

/**
 * Copies of uploads for so many documents: a file belongs to one document, and goes when that is deleted. Each copy is an
 * upload of its own, so that one that no document takes is collected. Each map has the ids of the given uploads.
 */
export async function copyUploads(
  given: readonly Stored<Upload>[],
  documents: number,
  nowMs: number,
): Promise<Uploads[]> {
  const copies = Array.from({ length: documents }, () => new Map<string, Stored<Upload>>());
  const wanted = copies.flatMap((map) => given.map((upload) => ({ map, upload })));
  await forEachConcurrently(COPIED_AT_ONCE, wanted, async ({ map, upload }) => {
    const { organizationId, name, contentType, size, md5, kind } = upload;
    const copy = await recordUpload(
      {
        organizationId,
        name: name ?? undefined,
        contentType,
        state: 'Received',
        size,
        md5,
        ...(kind && { kind }),
      },
      nowMs,
    );
    if ((await files('documents').copy(fileOf(upload), fileOf(copy))) !== 'copied')
      throw errors.refuse('UploadNotFound', { uploadId: upload.id });
    map.set(upload.id, copy);
  });
  return copies;
}
