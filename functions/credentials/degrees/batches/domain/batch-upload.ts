import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../../shared/access/caller.ts';
import { TooLarge } from '../../../../../shared/files/errors.ts';
import { files } from '../../../../../shared/files/files.ts';
import { logger } from '../../../../../shared/log/logger.ts';
import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import { AlreadyExists } from '../../../../../shared/store/refusals.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import { isInScope } from '../../../tenants/domain/organization.ts';
import { batches, type DegreeBatch } from './batch.ts';
import { createBatch, LINES_TYPE, tooLarge } from './create-batch.ts';

/** A file that its sender puts straight into the bucket: a request carries a few megabytes, a batch many. */
type BatchUpload = {
  /** The id of the batch as well: an upload becomes one batch, however often it is asked for. */
  readonly id: string;
  readonly organizationId: string;
  readonly bytes: number;
  readonly linkEndsAtMs: number;
};

// A put that began right before its link ended may still be running, and its sender asks for the batch afterwards.
const KEPT_AFTER_END_MS = 86_400_000;

const uploads = collection<BatchUpload, string>({
  service: 'credentials',
  name: 'upload of a batch',
  id: ({ id }) => id,
  key: (id) => ({ pk: `DEGREE_BATCH_UPLOAD#${id}`, sk: 'UPLOAD' }),
  indexed: ({ linkEndsAtMs }) => ({ ttl: Math.ceil((linkEndsAtMs + KEPT_AFTER_END_MS) / 1000) }),
});

// The link stays valid after the batch has the file, and its holder can put another one (time of check to time of use).
// So the batch works on a copy. What stays here is removed by the bucket's own rule.
const stagingKeyOf = (id: string): string => `batches/arriving/${id}`;

/** Makes the link to put a file of this size. */
export async function presignBatch(
  { organizationId, size: bytes }: { readonly organizationId: string; readonly size: number },
  nowMs: number,
) {
  const maxBytes = settings['Batches:MaxBytes'];
  if (bytes > maxBytes) throw tooLarge(new TooLarge('batch', maxBytes, bytes));
  const expiresSeconds = settings['Batches:LinkValidFor'];
  const linkEndsAtMs = nowMs + expiresSeconds * 1000;
  const { id } = await uploads.create({ id: randomUUID(), organizationId, bytes, linkEndsAtMs });
  const link = await files('credentials').uploadUrl(stagingKeyOf(id), {
    ...{ contentType: LINES_TYPE, length: bytes, maxBytes, expiresSeconds },
  });
  return {
    ...{ uploadId: id, ...link, headers: { ...link.headers } },
    expiresAt: new Date(linkEndsAtMs).toISOString(),
  };
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
  const { organizationId, bytes: announcedBytes } = upload;
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
