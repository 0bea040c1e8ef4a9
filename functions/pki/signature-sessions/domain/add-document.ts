import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { TooLarge } from '../../../../shared/files/errors.ts';
import { files } from '../../../../shared/files/files.ts';
import { safeFileName } from '../../../../shared/files/safe-name.ts';
import { LOOKED_AT_BYTES } from '../../../../shared/signing/format.ts';
import { formatOf, type SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { VisualRepresentation } from '../../../../shared/signing/visual/representation.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { chooseKey, type Metadata } from '../../documents/domain/document-keys.ts';
import { errors } from '../../errors.ts';
import { keepVisual } from '../../pdf/domain/visual.ts';
import { settings } from '../../settings.ts';
import type { XadesOptions } from '../../signatures/domain/xml-options.ts';
import { findSession, isPerson, refuseUnlessPending, type SessionAccess } from './find-session.ts';
import {
  documentFolder,
  type SessionDocument,
  type SignatureSession,
  sessionFolder,
  signatureSessions,
} from './session.ts';
import { refuseTooMany, refuseUnfit } from './session-limits.ts';

export type SignatureType = 'Pdf' | 'Cms' | 'Xml';

export type DocumentUpload = {
  /** By default the document is called by what it is. */
  readonly name?: string | null | undefined;
  readonly contentType?: string | null | undefined;
  readonly content: Uint8Array | AsyncIterable<Uint8Array>;
  /** A key that was given out for it, and its entries in the index of unused keys. */
  readonly documentKey?: string | undefined;
  readonly keyEntries?: number | undefined;
  readonly metadata?: Metadata | undefined;
  /** By default it is signed by what the file is. */
  readonly signatureType?: SignatureType | undefined;
  readonly isDetached?: boolean | undefined;
  readonly visual?: VisualRepresentation | undefined;
  readonly xades?: XadesOptions | undefined;
};

/** Adds a document to a session that waits for its signer. Returns the session. */
export async function addDocument(
  caller: Caller,
  access: SessionAccess,
  upload: DocumentUpload,
  nowMs: number,
): Promise<Stored<SignatureSession>> {
  const document = await storeDocument(caller, access, upload, nowMs);
  return attachDocument(caller, access, document, nowMs);
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
  const session = await findOpenSession(caller, access, nowMs);
  refuseTooMany(documentsBeside(caller, session).length + 1);
  return { ...(await storeFile(session, upload)), ...(isPerson(caller) && { isOwn: true }) };
}

// Where the application gives a document, the person brings none: those of before go. Their bytes are removed with the
// session's folder.
/** The documents that stay where the caller adds one. */
const documentsBeside = (caller: Caller, { documents }: SignatureSession): readonly SessionDocument[] =>
  isPerson(caller) ? documents : documents.filter(({ isOwn }) => !isOwn);

/** The second half: attaches the stored document to its session. */
export async function attachDocument(
  caller: Caller,
  access: SessionAccess,
  document: SessionDocument,
  nowMs: number,
): Promise<Stored<SignatureSession>> {
  try {
    return await retryOnConflict(async () => {
      const session = await findOpenSession(caller, access, nowMs);
      const documents = [...documentsBeside(caller, session), document];
      refuseUnfit({ ...session, documents });
      const takesFiles = isPerson(caller) && session.takesFiles === true;
      return signatureSessions.change(session, { documents, takesFiles });
    });
  } catch (error) {
    await files('pki').remove(document.original.key).catch(ignore);
    throw error;
  }
}

const ignore = (): void => undefined;

// After the first signature no document is added: the last signature ends the session.
/** The session, while documents can be added to it. */
export async function findOpenSession(caller: Caller, access: SessionAccess, nowMs: number) {
  const session = await findSession(caller, access, nowMs);
  refuseUnlessPending(session);
  if (session.signerSha256 !== null)
    throw errors.refuse('BadSignatureSessionOperation', { status: session.state, reason: 'signing began' });
  if (isPerson(caller) && !session.takesFiles)
    throw errors.refuse('BadSignatureSessionOperation', {
      status: session.state,
      reason: 'the application gave the documents',
    });
  return session;
}

async function storeFile(session: SignatureSession, upload: DocumentUpload): Promise<SessionDocument> {
  const { metadata, keyEntries = 0 } = upload;
  const id = randomUUID();
  const key = `${documentFolder(session.id, id)}original`;
  const head = firstBytes();
  const contentType = upload.contentType || 'application/octet-stream';
  const { length: size } = await putFile(key, head.passThrough(upload.content), contentType);
  try {
    if (size === 0) throw errors.refuse('EmptyDocument');
    const format = formatFor(upload, contentType, head.bytes());
    if (upload.visual && format !== 'PAdES')
      throw errors.refuse('OptionNotSupported', {
        option: 'pdfSignatureOptions.visualRepresentation',
        format,
      });
    if (upload.xades && format !== 'XAdES')
      throw errors.refuse('OptionNotSupported', { option: 'xmlSignatureOptions', format });
    const isDetached = format === 'CAdES' && (upload.isDetached ?? session.isDetached ?? false);
    return {
      id,
      state: 'Pending',
      name: safeFileName(upload.name || DEFAULT_NAMES[format]),
      contentType: format === 'PAdES' ? 'application/pdf' : contentType,
      format,
      original: { key, size },
      signatureHash: null,
      signed: null,
      documentKey: chooseKey(upload.documentKey),
      ...{ keyEntries, isDetached, ...(metadata && { metadata }) },
      ...(upload.xades && { xades: upload.xades }),
      ...(format === 'PAdES' && (await keepLook(session, id, upload.visual))),
    };
  } catch (error) {
    await files('pki').remove(key).catch(ignore);
    throw error;
  }
}

/** Keeps the look of a document of its own. By default it has that of its session, if any. */
async function keepLook(
  { id: sessionId, hasVisual }: SignatureSession,
  id: string,
  visual: VisualRepresentation | undefined,
): Promise<Pick<SessionDocument, 'visualFolder'>> {
  if (!visual) return hasVisual ? { visualFolder: sessionFolder(sessionId) } : {};
  const visualFolder = documentFolder(sessionId, id);
  await keepVisual(visualFolder, visual);
  return { visualFolder };
}

const DEFAULT_NAMES: Readonly<Record<SignatureFormat, string>> = {
  PAdES: 'document.pdf',
  XAdES: 'document.xml',
  CAdES: 'document',
};

const FORMATS: Readonly<Record<SignatureType, SignatureFormat>> = {
  Pdf: 'PAdES',
  Cms: 'CAdES',
  Xml: 'XAdES',
};

/** The format of the signature. Refuses a type that the file cannot have, before a person is sent to it. */
function formatFor({ signatureType }: DocumentUpload, contentType: string, bytes: Buffer): SignatureFormat {
  const forceCades = signatureType === 'Cms';
  const declared = signatureType === undefined ? contentType : '';
  const format = formatOf({ contentType: declared, firstBytes: bytes, forceCades });
  if (signatureType !== undefined && format !== FORMATS[signatureType])
    throw errors.refuse('DocumentNotSignable', {
      reason: 'other-type',
      explanation: `The file is no ${signatureType === 'Pdf' ? 'PDF' : 'XML without a document type'}: leave signatureType out, or send Cms.`,
    });
  return format;
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
