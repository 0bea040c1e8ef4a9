import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../../shared/access/caller.ts';
import {
  type AnnouncedUpload,
  announcedUploads,
  announceUpload,
} from '../../../../../shared/files/announced-upload.ts';
import { TooLarge } from '../../../../../shared/files/errors.ts';
import { files } from '../../../../../shared/files/files.ts';
import { logger } from '../../../../../shared/log/logger.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { AlreadyExists } from '../../../../../shared/store/refusals.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import { isInScope } from '../../../tenants/domain/organization.ts';
import { batches, type DegreeBatch } from './batch.ts';
import { createBatch, LINES_TYPE, tooLarge } from './create-batch.ts';

/** Its id is that of the batch as well: an upload becomes one batch, however often it is asked for. */
type BatchUpload = AnnouncedUpload & { readonly organizationId: string };

const uploads = announcedUploads<BatchUpload>({
  service: 'credentials',
  name: 'upload of a batch',
  pk: 'DEGREE_BATCH_UPLOAD',
});

// The link stays valid after the batch has the file, and its holder can put another one (time of check to time of use).
// So the batch works on a copy. What stays here is removed by the bucket's own rule.
const stagingKeyOf = (id: string): string => `batches/arriving/${id}`;

// The credentials of a function, which sign the link, last for some hours.
const LINK_SECONDS = 3_600;

/** Makes the link to put a file of this size. */
export async function presignBatch(
  { organizationId, size: length }: { readonly organizationId: string; readonly size: number },
  nowMs: number,
) {
  const maxBytes = settings['Batches:MaxBytes'];
  if (length > maxBytes) throw tooLarge(new TooLarge('batch', maxBytes, length));
  const file = {
    contentType: LINES_TYPE,
    length,
    maxBytes,
    expiresSeconds: LINK_SECONDS,
    keyOf: stagingKeyOf,
  };
  const { id: uploadId, ...link } = await announceUpload('credentials', file, nowMs, (linkEndsAtMs) =>
    uploads.create({ id: randomUUID(), organizationId, length, linkEndsAtMs }),
  );
  return { uploadId, ...link };
}

/** The batch of an upload whose file was put. A second request answers the batch of the first. */
export async function createBatchOfUpload(
  caller: Caller,
  uploadId: string,
  nowMs: number,
): Promise<Stored<DegreeBatch>> {
  const known = await batches.get(uploadId);
  if (known && isInScope(caller, known.organizationId)) return known;
  const upload = await uploads.get(uploadId);
  if (!upload || !isInScope(caller, upload.organizationId)) throw notFound(uploadId);
  const { organizationId, length: announcedBytes } = upload;
  const opened = await files('credentials').get(stagingKeyOf(uploadId));
  if (!opened) throw notFound(uploadId);
  try {
    // The store refuses any other size than the signed one. A store that does not check it is caught here.
    if (opened.length !== announcedBytes)
      throw notFound(uploadId, { announcedBytes, actualBytes: opened.length });
    const request = { organizationId, content: opened.stream, id: uploadId };
    const batch = await createOnce(caller, request, nowMs);
    await removeStaged(uploadId);
    return batch;
  } finally {
    opened.stream.destroy();
  }
}

const notFound = (uploadId: string, more: object = {}) =>
  errors.refuse('UploadNotFound', { resourceName: 'Upload', resourceId: uploadId, ...more });

/** Of two requests for one upload at once, the second answers the batch of the first. Its copy is left to the bucket. */
async function createOnce(...request: Parameters<typeof createBatch>): Promise<Stored<DegreeBatch>> {
  try {
    return await createBatch(...request);
  } catch (error) {
    const [, { id = '' }] = request;
    const first = error instanceof AlreadyExists ? await batches.get(id) : undefined;
    if (first) return first;
    throw error;
  }
}

/** The batch is created: a file that stays is no reason to fail. */
const removeStaged = (uploadId: string): Promise<void> =>
  files('credentials')
    .remove(stagingKeyOf(uploadId))
    .catch((error: unknown) =>
      logger('credentials').warn('The upload of a batch was not removed. The bucket removes it later.', {
        uploadId,
        error,
      }),
    );
