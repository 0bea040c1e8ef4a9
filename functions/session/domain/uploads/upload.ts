import { createHash, randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import {
  type AnnouncedUpload,
  announcedUploads,
  announceUpload,
} from '../../../../shared/files/announced-upload.ts';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { type StateOf, stateMachine, transition } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { requireActiveSession } from '../session.ts';

/**
 * A call takes an upload before it reads the file, so that no two calls sign it. A call that signs nothing gives it back;
 * one that was killed has used it up.
 */
export const uploadStates = stateMachine({
  Announced: { taken: 'Taken' },
  Taken: { givenBack: 'Announced' },
});

/** A document that its sender puts straight into the bucket, for one session of one application. */
export type Upload = AnnouncedUpload & {
  readonly state: StateOf<typeof uploadStates>;
  readonly application: string;
  /** The hash of the session's id. */
  readonly session: string;
  readonly fileName: string;
  /** As it was announced. */
  readonly sha256?: string | undefined;
  readonly expiresAtMs: number;
};

const uploads = announcedUploads<Upload>({ service: 'session', name: 'upload', pk: 'UPLOAD' });

const LINK_VALID_SECONDS = 3_600;
const DAY_MS = 86_400_000;
const CONTENT_TYPE = 'application/pdf';

/** Files of uploads are listed in the order in which they expire. */
export const UPLOADS_PREFIX = 'uploads/';
const keyOf = ({ id, expiresAtMs }: Pick<Upload, 'id' | 'expiresAtMs'>): string =>
  `${UPLOADS_PREFIX}${expiresAtMs}/${id}`;

/** When the file of a key expires. @example expiryIn('uploads/1773230400000/c0a8012e') // 1773230400000 */
export const expiryIn = (key: string): number => Number(key.slice(UPLOADS_PREFIX.length).split('/')[0]);

type AnnounceRequest = {
  readonly sessionId: string;
  readonly size: number;
  readonly fileName: string;
  readonly sha256?: string | undefined;
};

/** Announces a document that is put straight into the bucket, and creates the link to put it. */
export async function announceDocument(
  { application }: Caller,
  { sessionId, size, ...named }: AnnounceRequest,
  nowMs: number,
) {
  const maxBytes = settings['Signing:MaxDocumentBytes'];
  if (size > maxBytes) throw errors.refuse('DOCUMENT_TOO_LARGE', { limitBytes: maxBytes, actualBytes: size });
  await requireActiveSession(sessionId, nowMs);
  const expiresAtMs = nowMs + DAY_MS;
  const session = hashSecret(sessionId);
  const link = { contentType: CONTENT_TYPE, length: size, maxBytes, expiresSeconds: LINK_VALID_SECONDS };
  const { id: uploadId, ...made } = await announceUpload(
    'session',
    { ...link, keyOf: (id) => keyOf({ id, expiresAtMs }) },
    nowMs,
    (linkEndsAtMs) => {
      const upload = { id: randomUUID(), length: size, linkEndsAtMs, expiresAtMs };
      return uploads.create({ ...upload, state: 'Announced', application, session, ...named });
    },
  );
  return { uploadId, ...made };
}

/** The ends of an upload that a call has taken. */
export type Ending = {
  /** Nothing was signed: another call may use it. */
  readonly giveBack: () => Promise<void>;
  /** It is used up. */
  readonly remove: () => Promise<void>;
};

export type TakenUpload = Ending & { readonly fileName: string; readonly content: Buffer };

export type UploadOwner = { readonly caller: Caller; readonly sessionId: string };

/** Takes an upload and reads its file. The bytes are those of this moment, whatever is put by the link later. */
export async function takeUpload(owner: UploadOwner, uploadId: string, nowMs: number): Promise<TakenUpload> {
  const upload = await uploads.get(uploadId);
  const isOwn =
    upload?.application === owner.caller.application && upload.session === hashSecret(owner.sessionId);
  if (!upload || !isOwn || upload.expiresAtMs <= nowMs) throw errors.refuse('UPLOAD_NOT_FOUND', { uploadId });
  if (!uploadStates.accepts(upload.state, 'taken')) throw errors.refuse('UPLOAD_ALREADY_USED', { uploadId });
  const taken = await take(upload);
  let isUsed = false;
  const giveBack = async () => {
    if (!isUsed) await transition(uploads, uploadStates, taken, 'givenBack').catch(ifThrown(RaceLost));
  };
  try {
    return {
      fileName: upload.fileName,
      content: await readFile(upload),
      giveBack,
      async remove() {
        isUsed = true;
        // A file that stays is collected when its day is over.
        await files('session')
          .remove(keyOf(upload))
          .catch(() => undefined);
      },
    };
  } catch (error) {
    await giveBack();
    throw error;
  }
}

// Two calls name one upload:
//
//   call 1  |--reads Announced------ taken --|--reads the file, signs--|
//   call 2     |--reads Announced-------- taken: refused --|
async function take(upload: Stored<Upload>): Promise<Stored<Upload>> {
  try {
    return await transition(uploads, uploadStates, upload, 'taken');
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    throw errors.refuse('UPLOAD_ALREADY_USED', { uploadId: upload.id });
  }
}

async function readFile(upload: Upload): Promise<Buffer> {
  const incomplete = (reason: string) =>
    errors.refuse('UPLOAD_INCOMPLETE', { uploadId: upload.id, announcedBytes: upload.length, reason });
  try {
    const bytes = await files('session').read(keyOf(upload), upload.length);
    if (!bytes) throw incomplete('no file was put');
    // The store refuses any other size than the signed one. A store that does not check it is caught here.
    if (bytes.length !== upload.length) throw incomplete(`it has ${bytes.length} bytes`);
    if (upload.sha256 && createHash('sha256').update(bytes).digest('hex') !== upload.sha256)
      throw incomplete('it has another SHA-256');
    return bytes;
  } catch (error) {
    if (error instanceof TooLarge) throw incomplete(`it has ${error.seenBytes} bytes`);
    throw error;
  }
}
