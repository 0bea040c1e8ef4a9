import type * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { forEachConcurrently } from '../../../../shared/async/for-each-concurrently.ts';
import { Refusal } from '../../../../shared/errors/errors.ts';
import type { Logger } from '../../../../shared/log/logger.ts';
import type { BatchAccepted } from '../../contract.ts';
import { errors } from '../../errors.ts';
import { audit } from '../audit.ts';
import { type Deadline, partsInTime, signingDeadline } from '../deadline.ts';
import { requireActiveSession } from '../session.ts';
import { type Ending, takeUpload, type UploadOwner } from '../uploads/upload.ts';
import { beginDispatches, type StoredDispatch } from './dispatch.ts';
import { type IncomingDocument, type IncomingPart, type NamedUpload, requirePdf } from './incoming.ts';
import { signUpload, uploadAhead } from './sign-at-platform.ts';
import { beginSigningCall, logOf, type SigningCall, type SigningRequest } from './signing-call.ts';

export type SignBatchRequest = SigningRequest & { readonly parts: AsyncIterable<IncomingPart> };

type BatchResult = z.infer<typeof BatchAccepted>;

// A batch, from the first byte on:
//
//   form       |--sessionId--file 1--file 2-- ... --file n--|
//   uploads               |--1--|--2--| ...       |--n--|   |
//   documents                                               |--each: created, signed--|  results
//
// No document is created and nothing is signed before the whole form is read. The platform collects the uploads of a
// form that is refused.

/** Signs several documents, each by itself: one that fails has its error beside the ids of the others. */
export async function signBatch(
  caller: Caller,
  { parts, correlationId, ...times }: SignBatchRequest,
  now: () => number,
): Promise<BatchResult> {
  const deadline = signingDeadline(times, now);
  const log = logOf(correlationId);
  const taken: Ending[] = [];
  try {
    const { sessionId, uploads } = await readBatch(
      partsInTime(parts, deadline),
      (document, owner) => uploadOne(document, { caller, sessionId: owner, taken, deadline, log }),
      now,
    );
    const batch = { uploads, sessionId, correlationId, deadline };
    return await signUploads(caller, batch, now);
  } catch (error) {
    await Promise.all(taken.map(({ giveBack }) => giveBack()));
    throw error;
  }
}

type UploadedBatch = {
  readonly uploads: readonly UploadResult[];
  readonly sessionId: string;
  readonly correlationId: string;
  readonly deadline: Deadline;
};

async function signUploads(
  caller: Caller,
  { uploads, sessionId, correlationId, deadline }: UploadedBatch,
  now: () => number,
): Promise<BatchResult> {
  const session = await requireActiveSession(sessionId, now());
  const subject = { caller, correlationId, operation: 'signature.batch', cpf: session.cpf } as const;
  return audit(subject, now, async (record) => {
    if (uploads.length === 0) throw errors.refuse('INVALID_DOCUMENT');
    const call = await beginSigningCall(caller, session, { correlationId, record, deadline });
    try {
      const uploaded = uploads.filter(({ uploadId }) => typeof uploadId === 'string');
      const request = { cpf: call.signer.cpf, correlationId, count: uploaded.length };
      const begun = await beginDispatches(caller, request, now());
      const dispatches = new Map(uploaded.map((upload, n) => [upload, begun[n]]));
      const results = await Promise.all(
        uploads.map((upload) => signOne(upload, dispatches.get(upload), call)),
      );
      return { results, acceptedAt: new Date(now()).toISOString() };
    } finally {
      call.settle();
    }
  });
}

// Fifty documents of ten megabytes are more than a function should hold. The rest of the form waits on its connection
// while these are uploaded.
const MAX_UPLOADS_AT_ONCE = 6;

// Files that come before the sessionId are held in memory: a caller without a session must not store any.
const MAX_HELD_BYTES = 20 * 1024 * 1024;
const SESSION_FIRST = {
  field: 'sessionId',
  reason: `must come before the files where these are more than ${MAX_HELD_BYTES} bytes`,
};

/**
 * Reads a batch as it arrives and uploads a few documents at a time. `upload` never rejects; its results keep the order
 * of the form. An inactive session is refused as soon as it is named, before anything is uploaded.
 */
async function readBatch<T>(
  parts: AsyncIterable<IncomingPart>,
  upload: (document: Incoming, sessionId: string) => Promise<T>,
  now: () => number,
): Promise<{ readonly sessionId: string; readonly uploads: readonly T[] }> {
  let sessionId = '';
  async function* documents(): AsyncGenerator<Incoming> {
    const held: Incoming[] = [];
    let heldBytes = 0;
    for await (const part of parts) {
      if ('sessionId' in part) {
        ({ sessionId } = part);
        if (sessionId !== '') await requireActiveSession(sessionId, now());
        yield* held.splice(0);
      } else if (sessionId !== '') yield part.document;
      else {
        held.push(part.document);
        heldBytes += bytesOf(part.document);
        if (heldBytes > MAX_HELD_BYTES) throw errors.refuse('INVALID_REQUEST', SESSION_FIRST);
      }
    }
    if (sessionId === '')
      throw errors.refuse('INVALID_REQUEST', { field: 'sessionId', reason: 'is required' });
  }
  const uploads: Promise<T>[] = [];
  await forEachConcurrently(MAX_UPLOADS_AT_ONCE, documents(), async (document) => {
    const uploading = upload(document, sessionId);
    uploads.push(uploading);
    await uploading;
  });
  return { sessionId, uploads: await Promise.all(uploads) };
}

type Incoming = IncomingDocument | NamedUpload;

const bytesOf = (document: Incoming): number =>
  'content' in document && document.content instanceof Buffer ? document.content.length : 0;

type UploadResult = {
  readonly fileName: string;
  /** At the platform. */
  readonly uploadId: string | Refusal;
  /** Of a document that came by an upload of this service. */
  readonly ending?: Ending | undefined;
};

type UploadContext = UploadOwner & {
  /** All that the call has taken. */
  readonly taken: Ending[];
  readonly deadline: Deadline;
  readonly log: Logger;
};

async function uploadOne(document: Incoming, context: UploadContext): Promise<UploadResult> {
  const { taken, deadline, log } = context;
  let incoming: IncomingDocument = 'uploadId' in document ? notRead(document) : document;
  let ending: Ending | undefined;
  try {
    if ('uploadId' in document) {
      const { giveBack, remove, ...read } = await takeUpload(context, document.uploadId, deadline.now());
      ending = { giveBack, remove };
      taken.push(ending);
      incoming = read;
    }
    return { ...(await uploadAhead(requirePdf(incoming), deadline)), ending };
  } catch (error) {
    return { fileName: incoming.fileName, uploadId: asRefusal(error, log), ending };
  }
}

const notRead = ({ uploadId }: NamedUpload): IncomingDocument => ({
  fileName: uploadId,
  content: errors.refuse('UPLOAD_NOT_FOUND', { uploadId }),
});

async function signOne(
  { fileName, uploadId, ending }: UploadResult,
  dispatch: StoredDispatch | undefined,
  call: SigningCall,
): Promise<BatchResult['results'][number]> {
  try {
    if (uploadId instanceof Refusal) throw uploadId;
    if (!dispatch) throw new Error('A dispatch was not begun.');
    const signatureId = await signUpload({ fileName, uploadId }, dispatch, call);
    await ending?.remove();
    return { fileName, signatureId, status: 'PROCESSING', error: null };
  } catch (error) {
    const { code, message } = asRefusal(error, call.log);
    call.log.warn('A document of a batch was not signed.', { code, reason: message });
    call.noteOutcome({ signatureId: null, outcome: code, reason: message });
    await ending?.giveBack();
    return { fileName, signatureId: null, status: 'ERROR', error: { code, message } };
  }
}

function asRefusal(error: unknown, log: Logger): Refusal {
  if (error instanceof Refusal) return error;
  log.error('A document of a batch failed.', { error });
  return errors.refuse('INTERNAL_ERROR');
}
