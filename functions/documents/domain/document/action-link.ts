import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { Assignment } from '../flow/flow.ts';
import { type Document, documentItems, isReachable } from './document.ts';

// The key in a link is the document's id without dashes and a secret. By the id the document is found with no
// second item; the secret is kept as it is, because links are made again and again, and opens nothing without a
// ticket.
const KEY = /^([0-9a-f]{32})([A-Za-z0-9_-]{22})$/;
const SECRET_BYTES = 16;

/** The key as links carry it. */
export const documentKey = ({ id, keySecret }: Pick<Document, 'id' | 'keySecret'>): string =>
  `${id.replaceAll('-', '')}${keySecret}`;

/** The secret half of a new document's key. */
export const newKeySecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** The document that a key opens. One that is wrong in any part opens none. */
export async function documentByKey(key: string): Promise<Stored<Document>> {
  const [, hex = '', secret = ''] = KEY.exec(key) ?? [];
  const found = hex === '' ? undefined : await documentItems.get(uuidOf(hex));
  if (found && isSameSecret(found.keySecret, secret) && (await isReachable(found))) return found;
  throw errors.refuse('DocumentInvalidKey');
}

const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const isSameSecret = (kept: string, given: string): boolean =>
  kept.length === given.length && timingSafeEqual(Buffer.from(kept), Buffer.from(given));

/** Lets one person see a document and do one action of it. Of the ticket itself only the hash is kept. */
type Ticket = {
  readonly documentId: string;
  readonly hash: string;
  readonly actionId: string;
  readonly personId: string;
  /** A new version of the document begins another round, in which older tickets count no more. */
  readonly round: number;
  readonly expiresAtMs: number;
};

type TicketId = Pick<Ticket, 'documentId' | 'hash'>;

const tickets = collection<Ticket, TicketId>({
  service: 'documents',
  name: 'ticket',
  id: ({ documentId, hash }) => ({ documentId, hash }),
  key: ({ documentId, hash }) => ({ pk: `DOCUMENT#${documentId}`, sk: `TICKET#${hash}` }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

/** A ticket for one person's part of one action. */
export async function issueTicket(
  { id: documentId, round }: Pick<Document, 'id' | 'round'>,
  { action, person }: Assignment,
  nowMs: number,
): Promise<string> {
  const ticket = newSecret();
  await tickets.create({
    documentId,
    hash: hashSecret(ticket),
    actionId: action.id,
    personId: person.id,
    round,
    expiresAtMs: nowMs + settings['ActionUrls:ValidFor'] * 1000,
  });
  return ticket;
}

export type TicketHolder = Assignment & { readonly document: Stored<Document> };

/**
 * Who comes with a key and a ticket, to which action of which document. Being let in is not being awaited: whoever
 * has acted may still look at what they did.
 */
export async function requireTicket(key: string, ticket: string, nowMs: number): Promise<TicketHolder> {
  const document = await documentByKey(key);
  const found = await tickets.get({ documentId: document.id, hash: hashSecret(ticket) });
  const isCurrent = found && found.expiresAtMs > nowMs && found.round === document.round;
  const action = isCurrent ? document.flow.find(({ id }) => id === found.actionId) : undefined;
  const person = action?.people.find(({ id }) => id === found?.personId);
  if (!action || !person) throw errors.refuse('InvalidTicket');
  return { document, action, person };
}
