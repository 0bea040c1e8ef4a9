import type { Readable } from 'node:stream';
import type { Caller } from '../../../../shared/access/caller.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Range, RangeRequest } from '../../../../shared/files/get.ts';
import { errors } from '../../errors.ts';
import { documentOf, findSession, isPerson, type SessionAccess } from './find-session.ts';
import { signedNameOf, signedTypeOf } from './make-files.ts';
import { signatureSessionStates } from './session.ts';

type Content = {
  readonly stream: Readable;
  readonly size: number;
  readonly part: Range | undefined;
  readonly contentType: string;
  readonly name: string;
};
export type ContentType = 'Original' | 'Signed';

type ContentRequest = SessionAccess & {
  readonly documentId: string;
  /** By default the signed file, if there is one. */
  readonly type?: ContentType | undefined;
  readonly partOf: RangeRequest;
};

/** Opens a document of a session, or a part of it. */
export async function openContent(caller: Caller, request: ContentRequest, nowMs: number): Promise<Content> {
  const { state, documents, disableDownloads } = await findSession(caller, request, nowMs);
  const document = documentOf({ documents }, request.documentId);
  const type = request.type ?? (document.signed ? 'Signed' : 'Original');
  if (type === 'Signed' && disableDownloads && isPerson(caller))
    throw errors.refuse('BadSignatureSessionOperation', { status: state, reason: 'downloads are disabled' });
  const stored = type === 'Signed' ? document.signed : document.original;
  if (!stored && signatureSessionStates.accepts(state, 'filesMade'))
    throw errors.refuse('BackgroundProcessing', { status: state });
  if (!stored) throw errors.refuse('BadSignatureSessionOperation', { status: state });
  const part = request.partOf(stored.size);
  const opened = await files('pki').get(stored.key, part);
  if (!opened) throw errors.refuse('DocumentNotFound', { documentId: document.id });
  const found = { stream: opened.stream, size: stored.size, part };
  return type === 'Signed'
    ? { ...found, contentType: signedTypeOf(document), name: signedNameOf(document) }
    : { ...found, contentType: document.contentType, name: document.name };
}
