import { randomUUID } from 'node:crypto';
import type { TooLarge } from '../../../../shared/files/errors.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { sending } from '../../../../shared/queue/outbox.ts';
import type { ContentKind } from '../../../../shared/signing/format-of.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { canceling } from '../../../../shared/store/due/message.ts';
import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { SigningProblem } from './signing-problem.ts';

/**
 * An upload is recorded before its first byte is stored, so an interrupted one is found again and collected.
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
  /** Known once the file is received: documents of it need not read it to choose a signature format. */
  readonly kind?: ContentKind;
  /** Of a PDF that was in memory when it was received; null where it can be signed. */
  readonly signingProblem?: SigningProblem | null;
  /** The sender puts the file directly into the bucket. */
  readonly presigned?: boolean;
  /** The key of the file, where it is not the upload's id. */
  readonly file?: string;
};

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

// The message that collects an upload has the upload's name, so that whoever takes the upload can cancel it.
const collectionIdOf = (uploadId: string): string => `upload:${uploadId}`;

/**
 * The write that cancels the collection of the upload that a file came by, for the commit that makes it a document's.
 * A presigned upload keeps its message, which removes the file that its sender put.
 */
export function cancelingCollection(key: string): Write[] {
  const uploadId = uploadOf(key);
  const isOwnFile = uploadId !== undefined && key === fileOf({ id: uploadId });
  return isOwnFile ? [canceling('documents', collectionIdOf(uploadId))] : [];
}

/** The write that deletes the upload that a file came by, once no document has the file any more. */
export function removingUpload(key: string): Write[] {
  const uploadId = uploadOf(key);
  return uploadId === undefined ? [] : [uploads.removing(uploadId)];
}

export const tooLarge = ({ limitBytes, seenBytes: actualBytes }: TooLarge) =>
  errors.refuse('InvalidRequest', { limitBytes, actualBytes }, { status: 413 });

type NewUpload = Pick<Upload, 'organizationId' | 'contentType' | 'presigned'> &
  Partial<Pick<Upload, 'state' | 'size' | 'md5' | 'kind' | 'signingProblem'>> & {
    readonly name: string | undefined;
  };

/** Records an upload before its file, with the message that collects it later. */
export function recordUpload(
  { name, state = 'Receiving', size = 0, md5 = '', ...upload }: NewUpload,
  nowMs: number,
  collectAtMs = nowMs + settings['Uploads:KeptFor'] * 1000,
): Promise<Stored<Upload>> {
  const id = randomUUID();
  const collect = sending({
    service: 'documents',
    queue: UPLOADS_QUEUE,
    body: { uploadId: id },
    dueAtMs: collectAtMs,
    id: collectionIdOf(id),
    kind: 'garbage',
  });
  return uploads.create(
    { ...upload, id, name: name === undefined ? null : safeFileName(name), state, size, md5 },
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
  location: `/api/uploads/${id}/content`,
});
