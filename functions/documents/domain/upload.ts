import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { TooLarge } from '../../../shared/files/errors.ts';
import { files } from '../../../shared/files/files.ts';
import { safeFileName } from '../../../shared/files/safe-name.ts';
import { collection, type Stored } from '../../../shared/store/collection.ts';
import { dueMessage } from '../../../shared/store/due.ts';
import { type StateOf, transition } from '../../../shared/store/state-machine.ts';
import { errors } from '../errors.ts';
import { settings } from '../settings.ts';
import { uploadStates } from './upload-states.ts';

/** A file that waits for a document that uses it. */
export type Upload = {
  readonly id: string;
  readonly organizationId: string;
  readonly state: StateOf<typeof uploadStates>;
  readonly name: string | null;
  readonly contentType: string;
  readonly size: number;
  readonly md5: string;
};

type Arriving = {
  readonly organizationId: string;
  readonly name: string | undefined;
  readonly contentType: string;
  readonly content: Readable | Uint8Array;
};

/** The queue whose messages ask whether an upload is still waiting. */
export const UPLOADS_QUEUE = 'uploads';

export const uploads = collection<Upload, string>({
  service: 'documents',
  name: 'upload',
  id: (upload) => upload.id,
  key: (id) => ({ pk: `UPLOAD#${id}`, sk: 'UPLOAD' }),
});

const fileOf = (id: string): string => `uploads/${id}`;

// What is left when the host ends the function, step by step:
//
//   announce + collect later  |--- file --- received
//        nothing            item       item and file     all
//
// Wherever it ends, the message recorded with the announcement comes back and removes what is there.
export async function receiveUpload(arriving: Arriving, now = Date.now()): Promise<Upload> {
  const announced = await announce(arriving, now);
  const { length: size, md5 } = await keepFile(announced.id, arriving);
  if (size === 0) throw errors.refuse('UploadEmpty');
  return transition(uploads, uploadStates, announced, 'received', { size, md5 });
}

async function keepFile(id: string, { content, contentType }: Arriving) {
  try {
    const maxBytes = settings['Uploads:MaxBytes'];
    return await files('documents').put(fileOf(id), content, { contentType, maxBytes });
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const { limitBytes, seenBytes: actualBytes } = error;
    throw errors.refuse('InvalidRequest', { limitBytes, actualBytes }, { status: 413 });
  }
}

function announce({ organizationId, name, contentType }: Arriving, now: number): Promise<Stored<Upload>> {
  const id = randomUUID();
  const collect = dueMessage({
    service: 'documents',
    queue: UPLOADS_QUEUE,
    body: { uploadId: id },
    dueAtMs: now + settings['Uploads:KeptFor'] * 1000,
  });
  return uploads.create(
    {
      id,
      organizationId,
      state: 'Receiving',
      name: name === undefined ? null : safeFileName(name),
      contentType,
      size: 0,
      md5: '',
    },
    { also: [collect] },
  );
}

/** Removes an upload that no document took. Doing it twice does no harm: the file goes before what names it. */
export async function collectUpload(id: string): Promise<'collected' | 'gone'> {
  const upload = await uploads.get(id);
  if (!upload) return 'gone';
  await files('documents').remove(fileOf(id));
  await uploads.delete(upload);
  return 'collected';
}

/** As the interface shows it. */
export const shownUpload = ({ id, name, contentType, size, md5 }: Upload) => ({
  id,
  name,
  contentType,
  size,
  digest: md5,
});
