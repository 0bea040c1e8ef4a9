import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { files } from '../../../../shared/files/files.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { collection } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import { type Document, documentItems, isReachable } from '../document/document.ts';
import { type ContentType, requireAvailable } from './content-types.ts';
import { storedContentOf } from './stored-content.ts';

/** Lets whoever has its link download one content until it expires. Of the ticket only the hash is kept. */
type DownloadTicket = {
  readonly documentId: string;
  readonly hash: string;
  readonly type: ContentType;
  readonly expiresAtMs: number;
};

// Under its document, with which it goes.
const tickets = collection<DownloadTicket, Pick<DownloadTicket, 'documentId' | 'hash'>>({
  service: 'documents',
  name: 'download ticket',
  id: ({ documentId, hash }) => ({ documentId, hash }),
  key: ({ documentId, hash }) => ({ pk: `DOCUMENT#${documentId}`, sk: `DOWNLOAD#${hash}` }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

/** The link to a content that the document has now. */
export async function issueDownloadLink(
  document: Document,
  type: ContentType,
  nowMs: number,
): Promise<string> {
  requireAvailable(type, document);
  // The ticket names its document, so that it is found with no second item.
  const ticket = `${document.id}.${newSecret()}`;
  await tickets.create({
    documentId: document.id,
    hash: hashSecret(ticket),
    type,
    expiresAtMs: nowMs + settings['Downloads:TicketValidFor'] * 1000,
  });
  return `${commonSettings['Http:PublicUrl']}/documents/api/downloads/${ticket}`;
}

/** What a ticket opens. One that has expired, or whose document is gone, opens nothing. */
export async function findDownload(ticket: string, nowMs: number) {
  const [documentId = '', secret] = ticket.split('.');
  const found = secret ? await tickets.get({ documentId, hash: hashSecret(ticket) }) : undefined;
  if (!found || found.expiresAtMs <= nowMs) throw errors.refuse('InvalidTicket');
  const find = async (): Promise<Document> => {
    const document = await documentItems.get(documentId);
    if (!document || !(await isReachable(document))) throw errors.refuse('InvalidTicket');
    return document;
  };
  return { type: found.type, find };
}

// Long enough to follow a redirect. A download that has begun goes on past it.
const LINK_SECONDS = 60;

/** A link to the kept file itself; undefined for what is drawn when it is asked for. */
export async function createStoreLink(type: ContentType, document: Document): Promise<string | undefined> {
  const kept = storedContentOf(type, document);
  if (!kept) return undefined;
  return files('documents').downloadUrl(kept.key, { fileName: kept.name, expiresSeconds: LINK_SECONDS });
}
