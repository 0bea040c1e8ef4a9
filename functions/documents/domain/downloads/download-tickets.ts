import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { files } from '../../../../shared/files/files.ts';
import { collection, getBoth } from '../../../../shared/store/collection.ts';
import type { ContentType } from '../../contract/downloads.ts';
import { errors } from '../../errors.ts';
import { type Document, documentItems, documentPartition, isReachable } from '../document/document.ts';
import { requireAvailable } from './content-types.ts';
import { storedContentOf } from './stored-content.ts';

/** Lets the holder of its link download one content until it expires. Only the hash of the ticket is stored. */
type DownloadTicket = {
  readonly documentId: string;
  readonly hash: string;
  readonly type: ContentType;
  readonly expiresAtMs: number;
  /** Whether a browser shows it, where that is safe. */
  readonly isPreview?: boolean;
};

// The item is in the partition of its document, and is deleted with it.
const tickets = collection<DownloadTicket, Pick<DownloadTicket, 'documentId' | 'hash'>>({
  service: 'documents',
  name: 'download ticket',
  id: ({ documentId, hash }) => ({ documentId, hash }),
  key: ({ documentId, hash }) => ({ pk: documentPartition(documentId), sk: `DOWNLOAD#${hash}` }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

// A link that a program asks for is used at once, and needs no key.
const TICKET_VALID_MS = 300_000;

/** Issues a link to a content that the document has now: a path below the address that clients call the service at. */
export async function issueDownloadLink(
  document: Document,
  type: ContentType,
  nowMs: number,
  {
    validMs = TICKET_VALID_MS,
    isPreview = false,
  }: { readonly validMs?: number; readonly isPreview?: boolean } = {},
): Promise<string> {
  requireAvailable(type, document, nowMs);
  // The ticket names its document, so it is found without a second item.
  const ticket = `${document.id}.${newSecret()}`;
  await tickets.create({
    documentId: document.id,
    hash: hashSecret(ticket),
    type,
    expiresAtMs: nowMs + validMs,
    ...(isPreview && { isPreview }),
  });
  return `/api/downloads/${ticket}`;
}

/** Finds the content that a ticket opens. An expired ticket, or one of a deleted document, opens nothing. */
export async function findDownload(ticket: string, nowMs: number) {
  const [documentId = '', secret] = ticket.split('.');
  if (!secret) throw errors.refuse('InvalidTicket');
  const ticketId = { documentId, hash: hashSecret(ticket) };
  const [stored, found] = await getBoth([documentItems, documentId], [tickets, ticketId]);
  if (!found || found.expiresAtMs <= nowMs) throw errors.refuse('InvalidTicket');
  let known = stored;
  const find = async (): Promise<Document> => {
    const document = known ?? (await documentItems.get(documentId));
    known = undefined; // Whoever asks again has found the file of the first answer replaced.
    if (!document || !(await isReachable(document))) throw errors.refuse('InvalidTicket');
    return document;
  };
  return { type: found.type, isPreview: found.isPreview ?? false, find };
}

// Long enough to follow a redirect. A download that has begun continues after it.
const LINK_SECONDS = 60;

/** A link to the stored file itself; undefined for a content that is drawn on request. */
export async function createStoreLink(
  type: ContentType,
  document: Document,
  nowMs: number,
  isPreview = false,
): Promise<string | undefined> {
  const stored = storedContentOf(type, document, nowMs);
  if (!stored) return undefined;
  const inline = isPreview && isShownSafely(stored);
  const link = { fileName: stored.name, expiresSeconds: LINK_SECONDS, inline };
  return files('documents').downloadUrl(stored.key, link);
}

/** Stored XSS: browsers isolate a PDF from the site that it comes from. Some other types are pages that can run scripts. */
export const isShownSafely = ({ contentType }: { readonly contentType: string }): boolean =>
  contentType === 'application/pdf';
