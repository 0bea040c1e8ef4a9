import { randomUUID } from 'node:crypto';
import { announceUpload } from '../../../../shared/files/announced-upload.ts';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { observeKind } from './content-kind.ts';
import { recordUpload, tooLarge, type Upload, uploadStates, uploads } from './upload.ts';

const LINK_SECONDS = 3_600;
// A put that began right before its link expired may still be running.
const MAX_PUT_MS = 15 * 60_000;

type PresignUploadRequest = Pick<Upload, 'organizationId' | 'contentType' | 'size'> & {
  readonly name: string;
  /** When it is collected unless a document has taken it; after Uploads:KeptFor where it is left out. */
  readonly collectAtMs?: number;
};

// The link stays valid after a document has the file, and its holder can put another one (time of check to time of
// use). So the link leads to a staging key, and a document gets a copy of the file at the time of its request.
const stagingKeyOf = (id: string): string => `arriving/${id}`;

/** Announces a file that its sender puts directly into the bucket, and creates the link to put it. */
export async function presignUpload({ collectAtMs: given, ...request }: PresignUploadRequest, nowMs: number) {
  const maxBytes = settings['Uploads:MaxBytes'];
  if (request.size > maxBytes) throw tooLarge(new TooLarge('upload', maxBytes, request.size));
  const { contentType, size: length } = request;
  const file = { contentType, length, maxBytes, expiresSeconds: LINK_SECONDS, keyOf: stagingKeyOf };
  return announceUpload('documents', file, nowMs, (linkEndsAtMs) => {
    const keptUntilMs = given ?? nowMs + settings['Uploads:KeptFor'] * 1000;
    const collectAtMs = Math.max(keptUntilMs, linkEndsAtMs + MAX_PUT_MS);
    return recordUpload({ ...request, presigned: true }, nowMs, collectAtMs);
  });
}

// Two calls use the same upload while its sender replaces the file:
//
//   call 1   |--copies v1 to its own key, measured----------- received: that copy
//   sender            |--puts v2--|
//   call 2                         |--copies v2 to another key--------- received: refused, its copy is removed
//
// The file that counts is the one whose size and digest were written, whichever copy ends last.

/** Receives the file that the sender of a presigned upload has put. Refused while there is none. */
export async function receivePresigned(announced: Stored<Upload>): Promise<Stored<Upload>> {
  const { id, size: announcedBytes, contentType } = announced;
  const opened = await files('documents').get(stagingKeyOf(id));
  if (!opened) throw errors.refuse('UploadNotFound', { uploadId: id });
  // The store refuses any other size than the signed one. A store that does not check it is caught here.
  if (opened.length !== announcedBytes) {
    opened.stream.destroy();
    throw errors.refuse('UploadIncomplete', { uploadId: id, announcedBytes, actualBytes: opened.length });
  }
  const file = `uploads/${id}/${randomUUID()}`;
  const observed = observeKind(opened.stream);
  const { length: size, md5 } = await files('documents').put(file, observed.content, { contentType });
  const kind = observed.kind();
  try {
    return await transition(uploads, uploadStates, announced, 'received', { size, md5, kind, file });
  } catch (error) {
    if (error instanceof RaceLost) await files('documents').remove(file);
    throw error;
  }
}

/** Removes the remains of a link: the file that its sender put, and copies that were not used. */
export async function removeStaged(id: string, usedKey?: string): Promise<void> {
  const left = await files('documents').list(`uploads/${id}/`);
  const unused = left.files.map(({ key }) => key).filter((key) => key !== usedKey);
  await Promise.all([stagingKeyOf(id), ...unused].map((key) => files('documents').remove(key)));
}
