import { randomBytes, timingSafeEqual } from 'node:crypto';
import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { Assignment } from '../flow/flow.ts';
import { type Document, documentItems, isReachable } from './document.ts';

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

/** The document that a key opens. A key that is wrong in any part opens none. */
export async function documentByKey(key: string): Promise<Stored<Document>> {
  const [, hex = '', secret = ''] = KEY.exec(key) ?? [];
  const found = hex === '' ? undefined : await documentItems.get(uuidOf(hex));
  if (found && isSameSecret(found.keySecret, secret) && (await isReachable(found))) return found;
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
  readonly personId: string;
  /** A new version of the document begins another round, and tickets of earlier rounds are invalid. */
  readonly round: number;
  readonly expiresAtMs: number;
};

const tickets = collection<Ticket, Pick<Ticket, 'documentId' | 'hash'>>({
  service: 'documents',
  name: 'ticket',
  id: ({ documentId, hash }) => ({ documentId, hash }),
  key: ({ documentId, hash }) => ({ pk: `DOCUMENT#${documentId}`, sk: `TICKET#${hash}` }),
  indexed: ({ expiresAtMs }) => ({ ttl: Math.ceil(expiresAtMs / 1000) }),
});

/** Issues a ticket for one person's part of one action. */
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
 * The person, action and document that a key and a ticket open. It does not check that the action is still awaited:
 * somebody who has acted may still see the document.
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
