import type { ServiceName } from '../settings/names.ts';
import { collection } from '../store/collection.ts';
import type { Key } from '../store/item.ts';
import type { Leased } from '../store/lease.ts';

/** One message, by what it is about (a job, a document) and its name among the messages about that. */
export type MailId = { readonly about: string; readonly name: string };

/** The message to one person. `sending` until it is sent or given up, between two attempts too. */
export type MailRecord = Leased &
  MailId & {
    readonly state: 'sending' | 'sent' | 'failed';
    readonly createdAtMs: number;
    /** Attempts that the mail server did not take. */
    readonly failures: number;
    /** When it was sent or given up. */
    readonly endedAtMs?: number;
    /** Why it was given up. */
    readonly problem?: string;
  };

const KEPT_SECONDS = 90 * 86_400;

/** The messages of a service. @example const mails = mailRecords('batch', ({ about, name }) => ({ pk: `MAIL#${about}`, sk: name })); */
export const mailRecords = (service: ServiceName, key: (id: MailId) => Key) =>
  collection<MailRecord, MailId>({
    service,
    name: 'mail',
    id: ({ about, name }) => ({ about, name }),
    key,
    indexed: ({ createdAtMs }) => ({ ttl: Math.ceil(createdAtMs / 1000) + KEPT_SECONDS }),
  });

/** Longer than the 30 seconds that a message may take, so that nobody else sends it meanwhile. */
export const MAIL_LEASE_MS = 60_000;

// One message on two workers, which a second copy on the queue or a killed worker brings about:
//
//   worker 1  |--claim (fence 1)-- sends --sent--|
//   worker 2       |--held: comes again when the lease has ended--            |--sent already: nothing
//
//   worker 1  |--claim (fence 1)-- sends -- killed
//   worker 2       |--held: comes again--               lease ends |--claim (fence 2)-- sends --sent--|
//
// So a message is sent at least once, and never by two workers at once. The server may have taken the first of the second
// drawing: both have the same Message-ID, and a mail reader shows one. A worker that is frozen for longer than its lease
// and goes on is not excluded either.

/** A message that nobody has begun. */
export const newMail = (id: MailId, createdAtMs: number): MailRecord => ({
  ...id,
  state: 'sending',
  createdAtMs,
  failures: 0,
});
