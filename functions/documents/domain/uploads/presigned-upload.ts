import { randomUUID } from 'node:crypto';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { isoDate } from '../calendar.ts';
import { announceUpload, tooLarge, type Upload, uploadStates, uploads } from './upload.ts';

// A put that began right before its link ended may still be under way.
const MAX_PUT_MS = 15 * 60_000;

type PresignUploadRequest = Pick<Upload, 'organizationId' | 'contentType' | 'size'> & {
  readonly name: string;
};

// The link stays good after a document has its file, and whoever holds it can put another file. So it leads to a
// place of its own, and a document gets a copy of what was there when it asked.
const stagingKeyOf = (id: string): string => `arriving/${id}`;

/** Announces a file that its sender puts straight into the bucket, and gives the link to put it. */
export async function presignUpload(wanted: PresignUploadRequest, nowMs = Date.now()) {
  const maxBytes = settings['Uploads:MaxBytes'];
  if (wanted.size > maxBytes) throw tooLarge(new TooLarge('upload', maxBytes, wanted.size));
  const expiresSeconds = settings['Uploads:LinkValidFor'];
  const endsAtMs = nowMs + expiresSeconds * 1000;
  const collectAtMs = Math.max(nowMs + settings['Uploads:KeptFor'] * 1000, endsAtMs + MAX_PUT_MS);
  const { id } = await announceUpload({ ...wanted, presigned: true }, nowMs, collectAtMs);
  const { contentType, size: length } = wanted;
  const link = await files('documents').uploadUrl(stagingKeyOf(id), {
    contentType,
    length,
    maxBytes,
    expiresSeconds,
  });
  return { id, ...link, headers: { ...link.headers }, expiresAt: isoDate(endsAtMs) };
}

// Two calls ask for the same upload while its sender puts another file in its place:
//
//   call 1   |--copy v1 to its own place, measured----------- received: that copy
//   sender            |--puts v2--|
//   call 2                         |--copy v2 to another place--------- received: refused, its copy is removed
//
// The file that counts is the one whose measure was written, whichever copy ends last.

/** Takes in what a presigned upload's sender has put. Refused while nothing is there. */
export async function receivePresigned(announced: Stored<Upload>): Promise<Stored<Upload>> {
  const { id, size: announcedBytes, contentType } = announced;
  const opened = await files('documents').get(stagingKeyOf(id));
  if (!opened) throw errors.refuse('UploadNotFound', { uploadId: id });
  // The store refuses another size than the signed one; one that does not look at it is found out here.
  if (opened.length !== announcedBytes) {
    opened.stream.destroy();
    throw errors.refuse('UploadIncomplete', { uploadId: id, announcedBytes, actualBytes: opened.length });
  }
  const file = `uploads/${id}/${randomUUID()}`;
  const { length: size, md5 } = await files('documents').put(file, opened.stream, { contentType });
  try {
    return await transition(uploads, uploadStates, announced, 'received', { size, md5, file });
  } catch (error) {
    if (error instanceof RaceLost) await files('documents').remove(file);
    throw error;
  }
}

/** Removes what a link left behind: whatever its sender put, and copies that were not taken. */
export async function removeStaged(id: string, kept?: string): Promise<void> {
  const left = await files('documents').list(`uploads/${id}/`);
  const strays = left.files.map(({ key }) => key).filter((key) => key !== kept);
  await Promise.all([stagingKeyOf(id), ...strays].map((key) => files('documents').remove(key)));
}
