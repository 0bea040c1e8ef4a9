import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { dueMessage } from '../../../../shared/store/due/message.ts';
import { type StateOf, transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { uploadStates } from './upload-states.ts';

/** A file that waits for a document that uses it. */
export type Upload = {
  readonly id: string;
  readonly organizationId: string;
  readonly state: StateOf<typeof uploadStates>;
  readonly name: string | null;
  readonly contentType: string;
  /** As received; of a presigned one that still arrives, as announced. */
  readonly size: number;
  readonly md5: string;
  /** Its sender puts the file straight into the bucket. */
  readonly presigned?: boolean;
  /** Where the file is, when it is not under the upload's own id. */
  readonly file?: string;
};

type Announced = Pick<Upload, 'organizationId' | 'contentType' | 'presigned'> & {
  readonly name: string | undefined;
  readonly size?: number;
};
type Arriving = Announced & { readonly content: Readable | Uint8Array };

/** The queue whose messages ask whether an upload is still waiting. */
export const UPLOADS_QUEUE = 'uploads';

export const uploads = collection<Upload, string>({
  service: 'documents',
  name: 'upload',
  id: (upload) => upload.id,
  key: (id) => ({ pk: `UPLOAD#${id}`, sk: 'UPLOAD' }),
});

/** Where an upload's file is, for the document that takes it. */
export const fileOf = ({ id, file }: Pick<Upload, 'id' | 'file'>): string => file ?? `uploads/${id}`;

const UPLOADED = /^uploads\/([0-9a-f-]{36})(?:\/|$)/;

/** The upload that brought a file, if one did. */
export const uploadOf = (key: string): string | undefined => UPLOADED.exec(key)?.[1];

// What is left when the host ends the function, step by step:
//
//   announce + collect later  |--- file --- received
//        nothing            item       item and file     all
//
// Wherever it ends, the message recorded with the announcement comes back and removes what is there.
export async function receiveUpload(arriving: Arriving, now = Date.now()): Promise<Stored<Upload>> {
  const { content } = arriving;
  const contentType = arriving.contentType.length > MAX_TYPE_LENGTH ? UNKNOWN_TYPE : arriving.contentType;
  const announced = await announce({ ...arriving, contentType }, now);
  const { length: size, md5 } = await keepFile(fileOf(announced), content, contentType);
  if (size === 0) throw errors.refuse('UploadEmpty');
  return transition(uploads, uploadStates, announced, 'received', { size, md5 });
}

/** Gives a received upload the name and type that its sender says apart from the file, perhaps after it. */
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

// No registered type is half as long, and the store takes no header of any length.
const MAX_TYPE_LENGTH = 100;
const UNKNOWN_TYPE = 'application/octet-stream';

async function keepFile(key: string, content: Arriving['content'], contentType: string) {
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

/** Writes down that a file is to come, with the message that will ask for its collection. */
export function announce(
  { name, size = 0, ...given }: Announced,
  now: number,
  collectAtMs = now + settings['Uploads:KeptFor'] * 1000,
): Promise<Stored<Upload>> {
  const id = randomUUID();
  const collect = dueMessage({
    service: 'documents',
    queue: UPLOADS_QUEUE,
    body: { uploadId: id },
    dueAtMs: collectAtMs,
  });
  const { organizationId, contentType, presigned } = given;
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

/** As the interface shows it. */
export const shownUpload = ({ id, name, contentType, size, md5 }: Upload) => ({
  id,
  name,
  contentType,
  size,
  digest: md5,
});
