import { collection, type Stored } from '../../../../../shared/store/collection.ts';
import { claim, claiming, isHeld, type Leased } from '../../../../../shared/store/lease.ts';
import { AlreadyExists, RaceLost } from '../../../../../shared/store/refusals.ts';

/** The message to one person about one job. `sending` until it is sent or given up, between two attempts too. */
export type MailRecord = Leased & {
  readonly jobId: string;
  readonly address: string;
  readonly state: 'sending' | 'sent' | 'failed';
  readonly createdAtMs: number;
  /** Attempts that the mail server did not take. */
  readonly failures: number;
};

type MailId = Pick<MailRecord, 'jobId' | 'address'>;

const KEPT_SECONDS = 90 * 86_400;

export const mails = collection<MailRecord, MailId>({
  service: 'batch',
  name: 'mail',
  id: ({ jobId, address }) => ({ jobId, address }),
  key: ({ jobId, address }) => ({ pk: `MAIL#${jobId}`, sk: address }),
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

type Claimed =
  | { readonly held: Stored<MailRecord> }
  /** Another worker has it until then. */
  | { readonly busyUntilMs: number }
  | 'done';

/** Claims the message to one person for this worker. */
export async function claimMail(id: MailId, nowMs: number): Promise<Claimed> {
  const time = { leaseMs: MAIL_LEASE_MS, now: () => nowMs };
  const busy = { busyUntilMs: nowMs + MAIL_LEASE_MS };
  try {
    const known = await mails.get(id);
    if (!known) {
      const record = { ...id, state: 'sending', createdAtMs: nowMs, failures: 0 } as const;
      return { held: await mails.create({ ...record, ...claiming({}, time) }) };
    }
    if (known.state !== 'sending') return 'done';
    if (isHeld(known, nowMs)) return { busyUntilMs: known.leaseEndsAtMs ?? busy.busyUntilMs };
    const held = await claim(mails, known, time);
    return held ? { held } : busy;
  } catch (error) {
    if (error instanceof AlreadyExists || error instanceof RaceLost) return busy;
    throw error;
  }
}
