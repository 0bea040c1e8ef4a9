import type { Readable } from 'node:stream';
import { files } from '../../../../shared/files/files.ts';
import type { Range, RangeRequest } from '../../../../shared/files/get.ts';
import { FileGone } from '../../../../shared/files/stored-file.ts';
import type { ContentType } from '../../contract/downloads.ts';
import { errors } from '../../errors.ts';
import { requireTicket } from '../document/action-link.ts';
import type { Document } from '../document/document.ts';
import { contentName, contentNotAvailable, isAvailable, requireAvailable } from './content-types.ts';

/** A content that is a stored file. */
export type StoredContent = {
  readonly name: string;
  readonly contentType: string;
  readonly key: string;
  readonly size: number;
};

/** A content, ready to be sent. Its owner reads the stream to its end or destroys it. */
export type Content = {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly body: Readable | Uint8Array;
  /** The part of it that the body is, where one was asked for. */
  readonly part?: Range | undefined;
};

/** The stored file of a content; undefined for a content that is drawn on request. */
export function storedContentOf(
  type: ContentType,
  document: Document,
  nowMs: number,
): StoredContent | undefined {
  requireAvailable(type, document, nowMs);
  const { original, signed, format } = document;
  const name = contentName(type, document);
  if (type === 'Original') return { ...original, name };
  if (type !== 'Signatures' || !signed) return undefined;
  const contentType = format === 'CAdES' ? 'application/pkcs7-signature' : original.contentType;
  return { key: signed.key, size: signed.size, name, contentType };
}

/** Opens a stored file, or a part of it. Throws FileGone where it does not exist. */
export async function openStored(
  { key, name, contentType, size }: StoredContent,
  part?: Range | undefined,
): Promise<Content> {
  const opened = await files('documents').get(key, part);
  if (!opened) throw new FileGone(key);
  return { name, contentType, size: part ? size : opened.length, body: opened.stream, part };
}

/** Opens an attachment of a document. It is available in every status. */
export async function openAttachment({ attachments }: Document, attachmentId: string): Promise<Content> {
  const attachment = attachments.find(({ id }) => id === attachmentId);
  if (!attachment) throw attachmentNotFound(attachmentId);
  return openStored(attachment).catch((error) => {
    // The document was deleted with its files after it was read.
    throw error instanceof FileGone ? attachmentNotFound(attachmentId) : error;
  });
}

const attachmentNotFound = (attachmentId: string) =>
  errors.refuse('AttachmentNotFound', { resourceName: 'Attachment', resourceId: attachmentId });

type OfferedType = Extract<ContentType, 'Original' | 'Signatures'>;

/**
 * The file that a participant reads: by default the signed file, where people can read it. A CAdES signature is not
 * readable, so its original is the default instead.
 */
export function offeredContentOf(
  document: Document,
  nowMs: number,
  type: OfferedType = readableType(document, nowMs),
): StoredContent {
  const stored = storedContentOf(type, document, nowMs);
  if (!stored) throw contentNotAvailable(type, document);
  return stored;
}

const readableType = (document: Document, nowMs: number): OfferedType =>
  document.format !== 'CAdES' && isAvailable('Signatures', document, nowMs) ? 'Signatures' : 'Original';

type TicketRequest = {
  readonly key: string;
  readonly ticket: string;
  readonly type: OfferedType | undefined;
  readonly partOf: RangeRequest;
};

/**
 * Opens the same file, or a part of it, for the holder of a ticket. Parts of a PDF agree, though a signature may replace
 * the file between two requests: it only appends to it.
 */
export async function openForTicket(
  { key, ticket, type, partOf }: TicketRequest,
  nowMs: number,
): Promise<Content & { readonly isInline: boolean }> {
  const { document } = await requireTicket(key, ticket, nowMs);
  const offered = offeredContentOf(document, nowMs, type);
  try {
    const content = await openStored(offered, partOf(offered.size));
    // Browsers isolate a PDF from the site that it comes from. Some other types are pages that can run scripts.
    return { ...content, isInline: content.contentType === 'application/pdf' };
  } catch (error) {
    if (!(error instanceof FileGone)) throw error;
    throw contentNotAvailable(
      type ?? readableType(document, nowMs),
      document,
      'the file was replaced; ask again',
    );
  }
}
