import type { Readable } from 'node:stream';
import { files } from '../../../../shared/files/files.ts';
import { errors } from '../../errors.ts';
import { requireTicket } from '../document/action-link.ts';
import type { Document } from '../document/document.ts';
import { FileGone } from '../document/newest-file.ts';
import {
  type ContentType,
  contentName,
  contentNotAvailable,
  isAvailable,
  requireAvailable,
} from './content-types.ts';

/** A file that is kept as it is handed out. */
export type StoredContent = {
  readonly name: string;
  readonly contentType: string;
  readonly key: string;
  readonly size: number;
};

/** A content, ready to be sent. Whoever has it reads the stream to its end or destroys it. */
export type Content = {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly body: Readable | Uint8Array;
};

/** The kept file that is this content; undefined for what is drawn when it is asked for. */
export function storedContentOf(type: ContentType, document: Document): StoredContent | undefined {
  requireAvailable(type, document);
  const { original, signed, format } = document;
  const name = contentName(type, document);
  if (type === 'Original') return { ...original, name };
  if (type !== 'Signatures' || !signed) return undefined;
  const contentType = format === 'CAdES' ? 'application/pkcs7-signature' : original.contentType;
  return { key: signed.key, size: signed.size, name, contentType };
}

/** Opens a kept file. FileGone where it is not there. */
export async function openStored({ key, name, contentType }: StoredContent): Promise<Content> {
  const opened = await files('documents').get(key);
  if (!opened) throw new FileGone(key);
  return { name, contentType, size: opened.length, body: opened.stream };
}

/** Opens a file that accompanies a document. It is there in every status. */
export async function openAttachment({ attachments }: Document, attachmentId: string): Promise<Content> {
  const attachment = attachments.find(({ id }) => id === attachmentId);
  if (!attachment) throw attachmentNotFound(attachmentId);
  return openStored(attachment).catch((error) => {
    // The document was deleted since it was read, and its files with it.
    throw error instanceof FileGone ? attachmentNotFound(attachmentId) : error;
  });
}

const attachmentNotFound = (attachmentId: string) =>
  errors.refuse('AttachmentNotFound', { resourceName: 'Attachment', resourceId: attachmentId });

export type OfferedType = 'Original' | 'Signatures';

/**
 * What a person is given to read: the file with its signatures, where that can be read. A CAdES signature cannot, and
 * what it is over is given instead, unless the signature itself is asked for.
 */
export function offeredContentOf(
  document: Document,
  wish: OfferedType = readableType(document),
): StoredContent {
  const kept = storedContentOf(wish, document);
  if (!kept) throw contentNotAvailable(wish, document);
  return kept;
}

const readableType = (document: Document): OfferedType =>
  document.format !== 'CAdES' && isAvailable('Signatures', document) ? 'Signatures' : 'Original';

/** The same, opened, for the person that a ticket was made for. */
export async function openForTicket(
  key: string,
  ticket: string,
  wish: OfferedType | undefined,
  nowMs: number,
): Promise<Content & { readonly isInline: boolean }> {
  const { document } = await requireTicket(key, ticket, nowMs);
  const offered = offeredContentOf(document, wish);
  try {
    const content = await openStored(offered);
    // Browsers show a PDF apart from the site that it comes from. Of other types some are pages that run.
    return { ...content, isInline: content.contentType === 'application/pdf' };
  } catch (error) {
    if (!(error instanceof FileGone)) throw error;
    throw contentNotAvailable(wish ?? readableType(document), document, 'the file was replaced; ask again');
  }
}
