import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { dueMessage } from '../../../../shared/store/due/message.ts';
import { type StateOf, stateMachine, transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';

/**
 * An upload is announced before its first byte is stored, so an interrupted one is found again and collected.
 * Only one of `taken` and `expired` happens: a document's file is never collected.
 */
export const uploadStates = stateMachine({
  Receiving: { received: 'Received', expired: 'Collecting' },
  Received: { taken: 'Taken', expired: 'Collecting' },
  Taken: {},
  Collecting: {},
});

/** A file that waits for a document to use it. */
export type Upload = {
  readonly id: string;
  readonly organizationId: string;
  readonly state: StateOf<typeof uploadStates>;
  readonly name: string | null;
  readonly contentType: string;
  /** The received size; the announced size of a presigned upload until its file is received. */
  readonly size: number;
  readonly md5: string;
  /** The sender puts the file directly into the bucket. */
  readonly presigned?: boolean;
  /** The key of the file, where it is not the upload's id. */
  readonly file?: string;
};

type AnnouncedUpload = Pick<Upload, 'organizationId' | 'contentType' | 'presigned'> & {
  readonly name: string | undefined;
  readonly size?: number;
};
type UploadRequest = AnnouncedUpload & { readonly content: Readable | Uint8Array };

/** The queue of uploads to be collected if no document took them. */
export const UPLOADS_QUEUE = 'uploads';

export const uploads = collection<Upload, string>({
  service: 'documents',
  name: 'upload',
  id: (upload) => upload.id,
  key: (id) => ({ pk: `UPLOAD#${id}`, sk: 'UPLOAD' }),
});

/** The key of an upload's file. */
export const fileOf = ({ id, file }: Pick<Upload, 'id' | 'file'>): string => file ?? `uploads/${id}`;

const UPLOADED = /^uploads\/([0-9a-f-]{36})(?:\/|$)/;

/** The id of the upload of a file, if it came by one. */
export const uploadOf = (key: string): string | undefined => UPLOADED.exec(key)?.[1];

// The remains when the host ends the function, step by step:
//
//   announce + collect later  |--- file --- received
//        nothing            item       item and file     all
//
// The message recorded with the announcement removes them.

/** Stores a file that a request carries. */
export async function receiveUpload(request: UploadRequest, nowMs: number): Promise<Stored<Upload>> {
  const { content } = request;
  const contentType = request.contentType.length > MAX_TYPE_LENGTH ? UNKNOWN_TYPE : request.contentType;
  const announced = await announceUpload({ ...request, contentType }, nowMs);
  const { length: size, md5 } = await storeFile(fileOf(announced), content, contentType);
  if (size === 0) throw errors.refuse('UploadEmpty');
  return transition(uploads, uploadStates, announced, 'received', { size, md5 });
}

/** Sets the name and type of a received upload that form fields give, which may follow the file. */
export async function describeUpload(
  upload: Stored<Upload>,
  { name, contentType }: Pick<Upload, 'name'> & { readonly contentType: string | null },
): Promise<Upload> {
  if (name === null && contentType === null) return upload;
  return uploads.change(upload, {
    name: name === null ? upload.name : safeFileName(name),
    contentType: contentType ?? upload.contentType,
  });
}

// No registered type is half as long, and the store limits its headers.
const MAX_TYPE_LENGTH = 100;
const UNKNOWN_TYPE = 'application/octet-stream';

async function storeFile(key: string, content: UploadRequest['content'], contentType: string) {
  try {
    return await files('documents').put(key, content, {
      contentType,
      maxBytes: settings['Uploads:MaxBytes'],
    });
  } catch (error) {
    if (error instanceof TooLarge) throw tooLarge(error);
    throw error;
  }
}

export const tooLarge = ({ limitBytes, seenBytes: actualBytes }: TooLarge) =>
  errors.refuse('InvalidRequest', { limitBytes, actualBytes }, { status: 413 });

/** Records an upload before its file, with the message that collects it later. */
export function announceUpload(
  { name, size = 0, organizationId, contentType, presigned }: AnnouncedUpload,
  nowMs: number,
  collectAtMs = nowMs + settings['Uploads:KeptFor'] * 1000,
): Promise<Stored<Upload>> {
  const id = randomUUID();
  const collect = dueMessage({
    service: 'documents',
    queue: UPLOADS_QUEUE,
    body: { uploadId: id },
    dueAtMs: collectAtMs,
  });
  return uploads.create(
    {
      id,
      organizationId,
      state: 'Receiving',
      name: name === undefined ? null : safeFileName(name),
      contentType,
      size,
      md5: '',
      ...(presigned && { presigned }),
    },
    { also: [collect] },
  );
}

/** An upload as responses show it. */
export const renderUpload = ({ id, name, contentType, size, md5 }: Upload) => ({
  id,
  name,
  contentType,
  size,
  digest: md5,
});
