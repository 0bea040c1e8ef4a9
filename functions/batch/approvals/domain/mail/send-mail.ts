import { forEachConcurrently } from '../../../../../shared/async/for-each-concurrently.ts';
import { MailFailed, sendMail } from '../../../../../shared/mail/smtp.ts';
import type { SmtpServer } from '../../../../../shared/mail/smtp-server.ts';
import { recordAndSend, sending } from '../../../../../shared/queue/outbox.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { isHeld, type Lease, whileLeased } from '../../../../../shared/store/lease.ts';
import { approverOf, decisionOf, isExpired, type JobApproval } from '../../../jobs/domain/job/approval.ts';
import { type Job, jobs } from '../../../jobs/domain/job/job.ts';
import { recordingEvent } from '../../../operations/domain/events.ts';
import { addressOf } from '../../../profiles/domain/approvers.ts';
import { settings } from '../../../settings.ts';
import { composeMail } from './compose-mail.ts';
import { MAIL_QUEUE, mailIdOf } from './mail-queue.ts';
import { MAIL_LEASE_MS, type MailRecord, mails, newMail } from './mail-record.ts';

type Waiting = Job & { readonly approval: JobApproval };
type Clock = () => number;

/** The job, while it waits for decisions. */
async function findWaiting(jobId: string, nowMs: number): Promise<Waiting | undefined> {
  const job = await jobs.get(jobId);
  if (job?.state !== 'AwaitingApproval' || !job.approval) return undefined;
  const { approval } = job;
  return isExpired(approval, nowMs) ? undefined : { ...job, approval };
}

// People whose messages are recorded at once.
const CONCURRENCY = 10;

/**
 * Records one message per member of the frozen pool who has not decided. A second run replaces messages that nobody has
 * begun. One that was begun has its record until it is done, and is left alone.
 */
export async function mailApprovers(jobId: string, now: Clock): Promise<void> {
  const job = await findWaiting(jobId, now());
  if (!job) return;
  const pool = job.approval.approvers
    .filter(({ email }) => !decisionOf(job.approval, email))
    .map(({ email }) => addressOf(email));
  const begun = new Set(
    (await mails.getMany(pool.map((address) => ({ jobId, address })))).map(({ address }) => address),
  );
  await forEachConcurrently(
    CONCURRENCY,
    pool.filter((address) => !begun.has(address)),
    (address) =>
      recordAndSend(
        'batch',
        MAIL_QUEUE,
        { jobId, address },
        {
          id: mailIdOf(jobId, address),
          headStartMs: MAIL_LEASE_MS,
          now,
        },
      ),
  );
}

export type MailOutcome =
  | 'off'
  /** The job no longer waits, or the person has decided. A decision that is made while a message is sent is not seen. */
  | 'not needed'
  | 'done before'
  | 'busy'
  | 'sent'
  | 'retried later'
  | 'failed';

/** Sends the message to one person. The server may be slow: nothing else waits for it. */
export async function mailApprover(jobId: string, address: string, now: Clock): Promise<MailOutcome> {
  const server = settings['Mail:Smtp:Server'];
  if (server === undefined) return 'off';
  const job = await findWaiting(jobId, now());
  const approver = job && approverOf(job.approval, address);
  if (!approver || decisionOf(job.approval, address)) return 'not needed';
  const known = await mails.get({ jobId, address });
  if (known && known.state !== 'sending') return 'done before';
  const mail = known ?? newMail({ jobId, address }, now());
  const outcome = await whileLeased(mails, mail, { leaseMs: MAIL_LEASE_MS, now }, async (lease) => {
    try {
      await sendTo(server, await composeMail(job, approver));
    } catch (error) {
      if (!(error instanceof MailFailed)) throw error;
      return recordFailure(job, mail, lease, error, now());
    }
    return unlessLost('sent', await lease.finish({ state: 'sent' }));
  });
  if (outcome !== 'held') return outcome;
  const heldUntilMs = isHeld(mail, now()) ? mail.leaseEndsAtMs : undefined;
  await commit([dueAgain(mail, heldUntilMs ?? now() + MAIL_LEASE_MS)]);
  return 'busy';
}

const sendTo = (server: SmtpServer, mail: Parameters<typeof sendMail>[0]): Promise<void> =>
  sendMail(mail, {
    server,
    user: settings['Mail:Smtp:User'],
    password: settings['Mail:Smtp:Password'],
  });

/** Another worker has the message when this one took longer than its lease: that one records what becomes of it. */
const unlessLost = (outcome: MailOutcome, end: 'finished' | 'lost'): MailOutcome =>
  end === 'lost' ? 'busy' : outcome;

/** Replaces the record of the message that is worked on: the consumer leaves a record that is another one. */
const dueAgain = ({ jobId, address }: MailRecord, dueAtMs: number) =>
  sending({
    service: 'batch',
    queue: MAIL_QUEUE,
    body: { jobId, address },
    dueAtMs,
    id: mailIdOf(jobId, address),
  });

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
// About a day in all: a server that is down over night.
const RETRY_AFTER_MS = [
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR,
];

/** The next attempt, or the event that there is none. A job is never failed by mail. */
async function recordFailure(
  { fileName, profileName }: Job,
  mail: MailRecord,
  lease: Lease<MailRecord>,
  error: MailFailed,
  nowMs: number,
): Promise<MailOutcome> {
  const { jobId, address } = mail;
  const failures = mail.failures + 1;
  const pauseMs = error.isFinal ? undefined : RETRY_AFTER_MS[mail.failures];
  if (pauseMs !== undefined) {
    const also = [dueAgain(mail, nowMs + pauseMs)];
    return unlessLost('retried later', await lease.finish({ failures }, { also }));
  }
  const message = `${fileName}: ${address} was not notified by mail. ${error.message}`;
  const also = recordingEvent({ type: 'ApprovalMailFailed', message, jobId, profileName }, nowMs);
  return unlessLost('failed', await lease.finish({ state: 'failed', failures }, { also }));
}
