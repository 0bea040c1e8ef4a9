import type { Readable } from 'node:stream';
import { files } from '../../../../shared/files/files.ts';
import { errors } from '../../errors.ts';
import { signedTypeOf } from './make-files.ts';
import type { SessionDocument } from './session.ts';
import { documentOf, type Visitor, visitedSession } from './visit.ts';

type Content = { readonly stream: Readable; readonly contentType: string; readonly name: string };
export type ContentType = 'Original' | 'Signed';

type Asked = {
  readonly sessionId: string;
  readonly documentId: string;
  /** Left out: the signed file where there is one. */
  readonly type?: ContentType | undefined;
};

/** A document of a session, opened. */
export async function openContent(asked: Asked, visitor: Visitor, nowMs: number): Promise<Content> {
  const { state, documents } = await visitedSession(asked.sessionId, visitor, nowMs);
  const document = documentOf({ documents }, asked.documentId);
  const type = asked.type ?? (document.signed ? 'Signed' : 'Original');
  const kept = type === 'Signed' ? document.signed : document.original;
  if (!kept && state === 'Processing') throw errors.refuse('BackgroundProcessing', { status: state });
  if (!kept) throw errors.refuse('BadSignatureSessionOperation', { status: state });
  const opened = await files('pki').get(kept.key);
  if (!opened) throw errors.refuse('DocumentNotFound', { documentId: document.id });
  return type === 'Signed'
    ? { stream: opened.stream, contentType: signedTypeOf(document), name: signedNameOf(document) }
    : { stream: opened.stream, contentType: document.contentType, name: document.name };
}

const signedNameOf = ({ format, name }: SessionDocument): string =>
  format === 'CAdES' ? `${name}.p7m` : name;
