import { hashSecret, newSecret } from '../../../../shared/access/secrets.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { errors } from '../../errors.ts';
import { settings } from '../../settings.ts';
import type { Matched } from '../flow/flow.ts';
import type { Document } from './document.ts';
import { documentByKey } from './document-key.ts';

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
  { action, person }: Matched,
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

export type Admitted = Matched & { readonly document: Stored<Document> };

/**
 * Who comes with a key and a ticket, to which action of which document. Being let in is not being awaited: whoever
 * has acted may still look at what they did.
 */
export async function admitted(key: string, ticket: string, nowMs: number): Promise<Admitted> {
  const document = await documentByKey(key);
  const found = await tickets.get({ documentId: document.id, hash: hashSecret(ticket) });
  const isCurrent = found && found.expiresAtMs > nowMs && found.round === document.round;
  const action = isCurrent ? document.flow.find(({ id }) => id === found.actionId) : undefined;
  const person = action?.people.find(({ id }) => id === found?.personId);
  if (!action || !person) throw errors.refuse('InvalidTicket');
  return { document, action, person };
}
