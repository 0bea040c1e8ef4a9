import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Caller } from '../../../../shared/access/caller.ts';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { LOOKED_AT_BYTES } from '../../../../shared/signing/format.ts';
import { formatOf } from '../../../../shared/signing/format-of.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { findSession, refuseUnlessPending, type SessionAccess } from './find-session.ts';
import { type SessionDocument, sessionFolder, signatureSessions } from './session.ts';

export type DocumentUpload = {
  readonly name: string;
  readonly contentType?: string | null | undefined;
  readonly content: Uint8Array | Readable;
};

/** Adds a document to a session that waits for its signer. */
export async function addDocument(
  caller: Caller,
  access: SessionAccess,
  upload: DocumentUpload,
  nowMs: number,
): Promise<SessionDocument> {
  const document = await storeDocument(caller, access, upload, nowMs);
  await attachDocument(caller, access, document, nowMs);
  return document;
}

/**
 * The first half: stores the file. A file that is never attached is removed with the session's folder, so that a
 * request that breaks off after its file adds nothing.
 */
export async function storeDocument(
  caller: Caller,
  access: SessionAccess,
  upload: DocumentUpload,
  nowMs: number,
): Promise<SessionDocument> {
  await findOpenSession(caller, access, nowMs);
  return storeFile(access.sessionId, upload);
}

/** The second half: attaches the stored document to its session. */
export async function attachDocument(
  caller: Caller,
  access: SessionAccess,
  document: SessionDocument,
  nowMs: number,
): Promise<void> {
  try {
    await retryOnConflict(async () => {
      const session = await findOpenSession(caller, access, nowMs);
      await signatureSessions.change(session, { documents: [...session.documents, document] });
    });
  } catch (error) {
    await files('pki').remove(document.original.key).catch(ignore);
    throw error;
  }
}

const ignore = (): void => undefined;

// After the first signature no document is added: the last signature ends the session.
async function findOpenSession(caller: Caller, access: SessionAccess, nowMs: number) {
  const session = await findSession(caller, access, nowMs);
  refuseUnlessPending(session);
  if (session.signerSha256 !== null)
    throw errors.refuse('BadSignatureSessionOperation', { status: session.state, reason: 'signing began' });
  refuseTooMany(session.documents.length + 1);
  return session;
}

// They share one item of the table.
const MAX_DOCUMENTS = 20;

/** Refuses more documents than a session may have. */
export function refuseTooMany(count: number): void {
  if (count > MAX_DOCUMENTS) throw errors.refuse('TooManyDocuments', { most: MAX_DOCUMENTS, given: count });
}

async function storeFile(sessionId: string, upload: DocumentUpload): Promise<SessionDocument> {
  const id = randomUUID();
  const key = `${sessionFolder(sessionId)}${id}/original`;
  const head = firstBytes();
  const contentType = upload.contentType || 'application/octet-stream';
  const { length: size } = await putFile(key, head.passThrough(upload.content), contentType);
  if (size === 0) {
    await files('pki').remove(key);
    throw errors.refuse('EmptyDocument');
  }
  const format = formatOf({ contentType, firstBytes: head.bytes(), forceCades: false });
  const isPdf = format === 'PAdES';
  return {
    id,
    state: 'Pending',
    name: safeFileName(upload.name),
    contentType: isPdf ? 'application/pdf' : contentType,
    format,
    original: { key, size },
    signatureHash: null,
    signed: null,
  };
}

async function putFile(key: string, content: AsyncIterable<Uint8Array>, contentType: string) {
  try {
    return await files('pki').put(key, content, {
      contentType,
      maxBytes: settings['SignatureSessions:MaxDocumentBytes'],
    });
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const { limitBytes, seenBytes: actualBytes } = error;
    throw errors.refuse('InvalidRequest', { limitBytes, actualBytes }, { status: 413 });
  }
}

/** Records the first bytes of a stream that passes through. */
function firstBytes() {
  let seen = Buffer.alloc(0);
  return {
    bytes: (): Buffer => seen,
    async *passThrough(content: DocumentUpload['content']): AsyncGenerator<Uint8Array> {
      for await (const chunk of content instanceof Uint8Array ? [content] : content) {
        if (seen.length < LOOKED_AT_BYTES)
          seen = Buffer.concat([seen, chunk.subarray(0, LOOKED_AT_BYTES - seen.length)]);
        yield chunk;
      }
    },
  };
}
