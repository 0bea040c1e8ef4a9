import { createHash } from 'node:crypto';
import { forEachConcurrently } from '../async/for-each-concurrently.ts';
import { count } from '../metrics/count.ts';
import type { DimensionsOf } from '../metrics/table.ts';
import { recordAndSend, sending } from '../queue/outbox.ts';
import type { ServiceName } from '../settings/names.ts';
import type { Collection } from '../store/collection.ts';
import { commit } from '../store/commit.ts';
import { isHeld, type Lease, whileLeased } from '../store/lease.ts';
import type { Write } from '../store/write.ts';
import { type Letter, renderLetter } from './letter.ts';
import { hasMailServer, MAIL_QUEUE } from './queue.ts';
import { MAIL_LEASE_MS, type MailId, type MailRecord, newMail } from './record.ts';
import { type MailValues, senderOf } from './settings.ts';
import { MailFailed, sendMail } from './smtp.ts';

/** What a service knows of its messages. A task names one message to one person. */
export type Mailer<Task extends object, Found> = {
  readonly service: ServiceName;
  readonly settings: MailValues;
  readonly records: Collection<MailRecord, MailId>;
  readonly idOf: (task: Task) => MailId;
  /** What the message is about; undefined where the person is not to be told any more. */
  readonly find: (task: Task, nowMs: number) => Promise<Found | undefined>;
  readonly compose: (found: Found, nowMs: number) => Promise<Letter>;
  /** Writes of the commit that marks it as sent. */
  readonly sent?: (found: Found, nowMs: number) => readonly Write[];
  /** Writes of the commit that gives it up. */
  readonly failed?: (found: Found, error: MailFailed, nowMs: number) => readonly Write[];
};

type Clock = () => number;

/** The outbox entry of one message. A later one of the same name replaces it. */
const outboxIdOf = ({ about, name }: MailId): string => `mail:${about}:${name}`;

// People whose messages are recorded at once.
const CONCURRENCY = 10;

/**
 * Records one message per task and sends it to the queue. A second run replaces messages that nobody has begun. One that
 * was begun has its record until it is done, and is left alone.
 * @example await recordMails(approverMail, pool.map((address) => ({ jobId, address })), Date.now);
 */
export async function recordMails<Task extends object, Found>(
  { service, records, idOf }: Mailer<Task, Found>,
  tasks: readonly Task[],
  now: Clock,
): Promise<void> {
  const begun = new Set((await records.getMany(tasks.map(idOf))).map(outboxIdOf));
  await forEachConcurrently(
    CONCURRENCY,
    tasks.filter((task) => !begun.has(outboxIdOf(idOf(task)))),
    (task) =>
      recordAndSend(service, MAIL_QUEUE, task, {
        id: outboxIdOf(idOf(task)),
        headStartMs: MAIL_LEASE_MS,
        now,
      }),
  );
}

/** A message for a later time, as a write. */
export const mailDueAt = <Task extends object, Found>(
  { service, idOf }: Pick<Mailer<Task, Found>, 'service' | 'idOf'>,
  task: Task,
  dueAtMs: number,
) => sending({ service, queue: MAIL_QUEUE, body: task, dueAtMs, id: outboxIdOf(idOf(task)) });

export type MailOutcome =
  | 'off'
  /** The person is not to be told any more. What changes while a message is sent is not seen. */
  | 'not needed'
  | 'done before'
  | 'busy'
  | 'sent'
  | 'retried later'
  | 'failed';

/**
 * Sends the message of a task. The server may be slow: nothing else waits for it.
 * @example const outcome = await deliverMail(approverMail, { jobId, address }, Date.now);
 */
export async function deliverMail<Task extends object, Found>(
  mailer: Mailer<Task, Found>,
  task: Task,
  now: Clock,
): Promise<MailOutcome> {
  const outcome = await attemptMail(mailer, task, now);
  const Outcome = COUNTED[outcome];
  const { service: Service } = mailer;
  if ((Service === 'documents' || Service === 'batch' || Service === 'credentials') && Outcome)
    count('Deliveries', { Service, Channel: 'mail', Outcome });
  return outcome;
}

const COUNTED: Readonly<Partial<Record<MailOutcome, DimensionsOf<'Deliveries'>['Outcome']>>> = {
  sent: 'delivered',
  'retried later': 'retried',
  failed: 'exhausted',
  'not needed': 'withdrawn',
};

async function attemptMail<Task extends object, Found>(
  mailer: Mailer<Task, Found>,
  task: Task,
  now: Clock,
): Promise<MailOutcome> {
  const { records, settings, idOf } = mailer;
  if (!hasMailServer(settings)) return 'off';
  const id = idOf(task);
  const [found, known] = await Promise.all([mailer.find(task, now()), records.get(id)]);
  if (known && known.state !== 'sending') return 'done before';
  if (found === undefined) return 'not needed';
  const mail = known ?? newMail(id, now());
  const outcome = await whileLeased(records, mail, { leaseMs: MAIL_LEASE_MS, now }, async (lease) => {
    try {
      await handIn(settings, id, await mailer.compose(found, now()));
    } catch (error) {
      if (!(error instanceof MailFailed)) throw error;
      return recordFailure({ mailer, task, found, mail, lease }, error, now());
    }
    const also = mailer.sent?.(found, now()) ?? [];
    return unlessLost('sent', await lease.finish({ state: 'sent', endedAtMs: now() }, { also }));
  });
  if (outcome !== 'held') return outcome;
  const heldUntilMs = isHeld(mail, now()) ? mail.leaseEndsAtMs : undefined;
  // Replaces the record of the message that is worked on: the consumer leaves a record that is another one.
  await commit([mailDueAt(mailer, task, heldUntilMs ?? now() + MAIL_LEASE_MS)]);
  return 'busy';
}

async function handIn(settings: MailValues, id: MailId, letter: Letter): Promise<void> {
  const server = settings['Mail:Smtp:Server'];
  if (server === undefined) throw new MailFailed('No mail server is configured.', false);
  const from = settings['Mail:Smtp:From'];
  const mail = { from, messageId: messageIdOf(id, from), ...(await renderLetter(letter)) };
  await sendMail(mail, {
    server,
    user: settings['Mail:Smtp:User'],
    password: settings['Mail:Smtp:Password'],
  });
}

/** The same for every attempt, so that a mail reader shows one message of those that it gets twice. */
function messageIdOf({ about, name }: MailId, from: string): string {
  const code = createHash('sha256').update(`${about}:${name}`).digest('hex').slice(0, 32);
  return `<${code}@${senderOf(from).domain}>`;
}

/** Another worker has the message when this one took longer than its lease: that one records what becomes of it. */
const unlessLost = (outcome: MailOutcome, end: 'finished' | 'lost'): MailOutcome =>
  end === 'lost' ? 'busy' : outcome;

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

type Attempt<Task extends object, Found> = {
  readonly mailer: Mailer<Task, Found>;
  readonly task: Task;
  readonly found: Found;
  readonly mail: MailRecord;
  readonly lease: Lease<MailRecord>;
};

/** The next attempt, or that there is none. Nothing else fails by mail. */
async function recordFailure<Task extends object, Found>(
  { mailer, task, found, mail, lease }: Attempt<Task, Found>,
  error: MailFailed,
  nowMs: number,
): Promise<MailOutcome> {
  const failures = mail.failures + 1;
  const pauseMs = error.isFinal ? undefined : RETRY_AFTER_MS[mail.failures];
  if (pauseMs !== undefined) {
    const also = [mailDueAt(mailer, task, nowMs + pauseMs)];
    return unlessLost('retried later', await lease.finish({ failures }, { also }));
  }
  const result = { state: 'failed', failures, endedAtMs: nowMs, problem: error.message } as const;
  const also = mailer.failed?.(found, error, nowMs) ?? [];
  return unlessLost('failed', await lease.finish(result, { also }));
}
