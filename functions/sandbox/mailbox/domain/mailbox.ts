import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import { collection } from '../../../../shared/store/collection.ts';
import { firstItems } from '../../../../shared/store/cursor.ts';
import type { ReceivedMail } from '../contract.ts';

/** A message that was sent to an address. */
export type KeptMail = z.infer<typeof ReceivedMail> & { readonly address: string };

const KEPT_SECONDS = 24 * 3_600;
const MAX_LISTED = 100;

/** Bytes of the largest message that the sandbox takes. An item of the table has room for it. */
export const MAX_MAIL_BYTES = 256 * 1024;

const addressOf = (address: string): string => address.trim().toLowerCase();
const partitionOf = (address: string): string => `MAILBOX#${addressOf(address)}`;

const mails = collection<KeptMail, Pick<KeptMail, 'address' | 'id'>>({
  service: 'sandbox',
  name: 'mail',
  id: ({ address, id }) => ({ address, id }),
  key: ({ address, id }) => ({ pk: partitionOf(address), sk: `MAIL#${id}` }),
  indexed: ({ receivedAt }) => ({ ttl: Math.ceil(Date.parse(receivedAt) / 1000) + KEPT_SECONDS }),
});

const ADDRESSES = 'MAILBOXES';

type MailboxEntry = { readonly address: string; readonly receivedAt: string };

// The addresses that mail came to, each with the time of its newest.
const mailboxes = collection<MailboxEntry, string>({
  service: 'sandbox',
  name: 'mailbox',
  id: ({ address }) => address,
  key: (address) => ({ pk: ADDRESSES, sk: addressOf(address) }),
  indexed: ({ receivedAt }) => ({ ttl: Math.ceil(Date.parse(receivedAt) / 1000) + KEPT_SECONDS }),
});

/** Keeps a message for one of the addresses that it was sent to. */
export async function keepMail(mail: Omit<KeptMail, 'id' | 'receivedAt'>, nowMs: number): Promise<void> {
  const receivedAt = new Date(nowMs).toISOString();
  const entry = mailboxes.putting({ address: addressOf(mail.address), receivedAt });
  await mails.create({ ...mail, id: `${receivedAt}-${randomUUID()}`, receivedAt }, { also: [entry] });
}

/** The addresses that mail came to within a day, those with the newest first. */
export async function listMailboxes(): Promise<MailboxEntry[]> {
  const found = await firstItems(mailboxes, { pk: ADDRESSES }, MAX_LISTED);
  return found
    .map(({ address, receivedAt }) => ({ address, receivedAt }))
    .toSorted((one, other) => (one.receivedAt < other.receivedAt ? 1 : -1));
}

/** One message to an address. */
export async function findMail(address: string, id: string): Promise<Omit<KeptMail, 'address'> | undefined> {
  const found = await mails.get({ address, id });
  if (!found) return undefined;
  const { address: _, version: __, ...mail } = found;
  return mail;
}

/** The newest messages to an address. */
export async function listMail(address: string): Promise<Omit<KeptMail, 'address'>[]> {
  const items = await firstItems(mails, { pk: partitionOf(address), newestFirst: true }, MAX_LISTED);
  return items.map(({ address: _, version: __, ...mail }) => mail);
}
