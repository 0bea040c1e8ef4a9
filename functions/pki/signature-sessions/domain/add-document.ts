import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { LOOKED_AT_BYTES } from '../../../../shared/signing/format.ts';
import { formatOf } from '../../../../shared/signing/format-of.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { folderOf, type SessionDocument, signatureSessions } from './session.ts';
import { refuseUnlessPending, type Visitor, visitedSession } from './visit.ts';

export type ArrivingDocument = {
  readonly name: string;
  readonly contentType?: string | null | undefined;
  readonly content: Uint8Array | Readable;
};

/** Adds a document to a session that waits. */
export async function addDocument(
  sessionId: string,
  visitor: Visitor,
  arriving: ArrivingDocument,
  nowMs: number,
): Promise<SessionDocument> {
  const document = await keepDocument(sessionId, visitor, arriving, nowMs);
  await nameDocument(sessionId, visitor, document, nowMs);
  return document;
}

/**
 * The first half: the file is there before the session names it, and one that is never named goes with the session's
 * folder. A request that turns out broken behind its file thus adds nothing.
 */
export async function keepDocument(
  sessionId: string,
  visitor: Visitor,
  arriving: ArrivingDocument,
  nowMs: number,
): Promise<SessionDocument> {
  await openSession(sessionId, visitor, nowMs);
  return kept(sessionId, arriving);
}

/** The second half: the session has the document from here on. */
export async function nameDocument(
  sessionId: string,
  visitor: Visitor,
  document: SessionDocument,
  nowMs: number,
): Promise<void> {
  try {
    await retryOnConflict(async () => {
      const session = await openSession(sessionId, visitor, nowMs);
      await signatureSessions.change(session, { documents: [...session.documents, document] });
    });
  } catch (error) {
    await files('pki').remove(document.original.key).catch(ignored);
    throw error;
  }
}

const ignored = (): void => undefined;

// Once a person has begun to sign, what they have seen is all there is: the last signature ends the session.
async function openSession(sessionId: string, visitor: Visitor, nowMs: number) {
  const session = await visitedSession(sessionId, visitor, nowMs);
  refuseUnlessPending(session);
  if (session.signerSha256 !== null)
    throw errors.refuse('BadSignatureSessionOperation', { status: session.state, reason: 'signing began' });
  refuseTooMany(session.documents.length + 1);
  return session;
}

/** Refuses more documents than a session takes. */
export function refuseTooMany(count: number): void {
  const most = settings['SignatureSessions:MaxDocuments'];
  if (count > most) throw errors.refuse('TooManyDocuments', { most, given: count });
}

async function kept(sessionId: string, arriving: ArrivingDocument): Promise<SessionDocument> {
  const id = randomUUID();
  const key = `${folderOf(sessionId)}${id}/original`;
  const head = firstBytes();
  const contentType = arriving.contentType || 'application/octet-stream';
  const { length: size } = await stored(key, head.passing(arriving.content), contentType);
  if (size === 0) {
    await files('pki').remove(key);
    throw errors.refuse('EmptyDocument');
  }
  const format = formatOf({ contentType, firstBytes: head.bytes(), forceCades: false });
  const isPdf = format === 'PAdES';
  return {
    id,
    state: 'Pending',
    name: safeFileName(arriving.name),
    contentType: isPdf ? 'application/pdf' : contentType,
    format,
    original: { key, size },
    signatureHash: null,
    signed: null,
  };
}

async function stored(key: string, content: AsyncIterable<Uint8Array>, contentType: string) {
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

/** Remembers how a file begins while it flows past. */
function firstBytes() {
  let seen = Buffer.alloc(0);
  return {
    bytes: (): Buffer => seen,
    async *passing(content: ArrivingDocument['content']): AsyncGenerator<Uint8Array> {
      for await (const chunk of content instanceof Uint8Array ? [content] : content) {
        if (seen.length < LOOKED_AT_BYTES)
          seen = Buffer.concat([seen, chunk.subarray(0, LOOKED_AT_BYTES - seen.length)]);
        yield chunk;
      }
    },
  };
}
