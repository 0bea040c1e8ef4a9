import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { collection, getBoth, type Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import type { Attributes } from '../../../../shared/store/item.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { errors } from '../../errors.ts';
import { type Assignment, partIdOf } from '../flow/flow.ts';
import { type Document, documentItems, documentPartition, type LocatedDocument } from './document.ts';
import { locateOpen } from './location.ts';

// The key in an action URL is the document's id without dashes, and a secret. The id finds the document without a
// second item. The secret is stored in clear, because links are made again and again; it opens nothing without a
// ticket.
const KEY = /^([0-9a-f]{32})([A-Za-z0-9_-]{22})$/;
const SECRET_BYTES = 16;

/** The key as links carry it. */
export const documentKey = ({ id, keySecret }: Pick<Document, 'id' | 'keySecret'>): string =>
  `${id.replaceAll('-', '')}${keySecret}`;

/** The secret half of a new document's key. */
export const newKeySecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** The id in a key. A key of another form has none. */
export const documentIdOf = (key: string): string | undefined => {
  const [, hex = ''] = KEY.exec(key) ?? [];
  return hex === '' ? undefined : uuidOf(hex);
};

/** The document that a key opens, of what was read by the key's id. A key that is wrong in any part opens none. */
export async function requireKeyOf(
  key: string,
  found: Stored<Document> | undefined,
): Promise<LocatedDocument> {
  const [, , secret = ''] = KEY.exec(key) ?? [];
  const location = found && isSameSecret(found.keySecret, secret) ? await locateOpen(found) : undefined;
  if (found && location) return { document: found, location };
  throw errors.refuse('DocumentInvalidKey');
}

const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const isSameSecret = (stored: string, received: string): boolean =>
  stored.length === received.length && timingSafeEqual(Buffer.from(stored), Buffer.from(received));

/** Lets one person see a document and do one action of it. Only the hash of the ticket is stored. */
type Ticket = {
  readonly documentId: string;
  readonly hash: string;
  readonly actionId: string;
  /** By `partIdOf`. */
  readonly personId: string;
  /** A new version of the document begins another round, and tickets of earlier rounds are invalid. */
  readonly round: number;
  readonly expiresAtMs: number;
  readonly firstOpenedAtMs?: number;
  readonly lastOpenedAtMs?: number;
  /** Shows nothing before a code, whatever its organization asks for. */
  readonly requiresCode?: boolean;
  /** The application that made the link, and so has identified the person. Links of mail have none. */
  readonly issuedBy?: string | undefined;
  /** Was issued for a code, and shows the document. */
  readonly isVerified?: boolean;
  /** The code that was sent last. */
  readonly code?: LinkCode;
};

/** A code by mail. Its hash holds the ticket's, which alone does not open anything. */
export type LinkCode = { readonly hash: string; readonly expiresAtMs: number; readonly attempts: number };

export type StoredLink = Stored<Ticket>;

const TICKET_PREFIX = 'TICKET#';

export const tickets = collection<Ticket, Pick<Ticket, 'documentId' | 'hash'>>({
  service: 'documents',
  name: 'ticket',
  id: ({ documentId, hash }) => ({ documentId, hash }),
  key: ({ documentId, hash }) => ({ pk: documentPartition(documentId), sk: `${TICKET_PREFIX}${hash}` }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

const LINK_VALID_MS = 7 * 86_400_000;

type TicketOptions = Pick<Ticket, 'requiresCode' | 'isVerified' | 'issuedBy'> & { readonly validMs?: number };

/** A ticket for one person's part of one action, and the write that stores it. */
export function issuingTicket(
  { id: documentId, round }: Pick<Document, 'id' | 'round'>,
  { action, person }: Assignment,
  nowMs: number,
  { validMs = LINK_VALID_MS, ...options }: TicketOptions = {},
): { readonly ticket: string; readonly write: Write } {
  const ticket = newSecret();
  const write = tickets.creating({
    ...options,
    documentId,
    hash: hashSecret(ticket),
    actionId: action.id,
    personId: partIdOf(person),
    round,
    expiresAtMs: nowMs + validMs,
  });
  return { ticket, write };
}

/** Issues a ticket in a commit of its own. */
export async function issueTicket(...input: Parameters<typeof issuingTicket>): Promise<string> {
  const { ticket, write } = issuingTicket(...input);
  await commit([write]);
  return ticket;
}

/** The page of a ticket, for a window of its own and for a frame: in this language, or else in that of the browser. */
export function actionPageOf(
  document: Pick<Document, 'id' | 'keySecret' | 'language'>,
  ticket: string,
  language: Language | undefined = document.language,
) {
  const page = `${commonSettings['Http:PublicUrl']}/documents/document/key/${documentKey(document)}`;
  const query = `ticket=${ticket}${language ? `&lang=${language}` : ''}`;
  return { url: `${page}/action?${query}`, embedUrl: `${page}/embed?${query}` };
}

/** The links among the items of a document's partition. */
export const readLinks = (rows: readonly Attributes[]): StoredLink[] =>
  rows.filter(({ sk }) => sk?.S?.startsWith(TICKET_PREFIX)).map(tickets.read);

export type TicketHolder = Assignment & LocatedDocument;

/** The same, and the ticket itself. */
export type LinkHolder = TicketHolder & { readonly link: StoredLink };

/** Whether a link shows nothing before a code. One of an organization that asks for codes does, whenever it was made. */
export const needsCode = ({ link, location }: Pick<LinkHolder, 'link' | 'location'>): boolean =>
  link.isVerified !== true &&
  (link.requiresCode === true || location.organization?.mail?.requiresCode === true);

/**
 * The person, action and document that a key and a ticket open. It does not check that the action is still awaited:
 * somebody who has acted may still see the document.
 */
export async function requireTicket(key: string, ticket: string, nowMs: number): Promise<LinkHolder> {
  const holder = await findLinkHolder(key, ticket, nowMs);
  if (needsCode(holder)) throw errors.refuse('CodeRequired');
  return holder;
}

/** The same, before any code. Nothing of the document may be shown of it. */
export async function findLinkHolder(key: string, ticket: string, nowMs: number): Promise<LinkHolder> {
  const documentId = documentIdOf(key);
  if (documentId === undefined) throw errors.refuse('DocumentInvalidKey');
  const ticketId = { documentId, hash: hashSecret(ticket) };
  const [stored, found] = await getBoth([documentItems, documentId], [tickets, ticketId]);
  const { document, location } = await requireKeyOf(key, stored);
  if (!found || found.expiresAtMs <= nowMs || found.round !== document.round)
    throw errors.refuse('InvalidTicket');
  const action = document.flow.find(({ id }) => id === found.actionId);
  const person = action?.people.find((each) => partIdOf(each) === found.personId);
  if (!action || !person) throw errors.refuse('NotInFlow');
  return { document, location, action, person, link: found };
}

// A page that is reloaded, or looked at by a script, is opened once a minute at most.
const OPENING_MS = 60_000;

/** Records that the document was shown by a link. Of two at once, one is enough. */
export async function recordOpening({ link }: LinkHolder, nowMs: number): Promise<void> {
  const { firstOpenedAtMs = nowMs, lastOpenedAtMs = 0 } = link;
  if (nowMs - lastOpenedAtMs < OPENING_MS) return;
  await tickets.change(link, { firstOpenedAtMs, lastOpenedAtMs: nowMs }).catch(ifThrown(RaceLost));
}
