import * as z from 'zod';
import { raiseGauge } from '../metrics/count.ts';
import { isScheduled } from '../metrics/table.ts';
import { queueName, type ServiceName } from '../settings/names.ts';
import { commit } from '../store/commit.ts';
import {
  type DueWrite,
  dueMessage,
  HEAD_START_MS,
  type OutboxRecord,
  type Send,
} from '../store/due/message.ts';
import { type SweepShare, sendDue } from '../store/due/sweep.ts';
import type { ItemWrite, Write } from '../store/write.ts';
import { sendToDeadLetter } from './dead-letter.ts';
import { MessageTooLarge, NotSent } from './errors.ts';
import type { Task } from './schedule.ts';
import { MAX_DELAY_SECONDS, sendAll } from './send.ts';

/** The function that puts recorded messages on the service's queues. */
export const senderOf =
  (service: ServiceName): Send =>
  async (queue, messages) => {
    const outgoing = messages.map(({ body, delaySeconds, record, trace }) => ({
      ...{ body, delaySeconds, record, trace },
      dedupe: record.id,
    }));
    try {
      await sendAll(service, queue, outgoing);
      return new Map();
    } catch (error) {
      if (error instanceof NotSent) return new Map(error.indexes.map((index) => [index, error]));
      if (!(error instanceof MessageTooLarge)) throw error;
    }
    // None was sent. One that never fits must not keep the others.
    const sends = await Promise.allSettled(outgoing.map((message) => sendAll(service, queue, [message])));
    return new Map(
      sends.flatMap((outcome, index) => (outcome.status === 'rejected' ? [[index, outcome.reason]] : [])),
    );
  };

type MessageWrite = DueWrite & { readonly delaySeconds?: number };

type SendingOptions = Omit<Parameters<typeof dueMessage>[0], 'dueAtMs'> & {
  /** Sent after the commit, with this delay. Beyond the 15 minutes of SQS the sweeper sends it, up to a minute late. */
  readonly delaySeconds?: number | undefined;
  /** Left to the sweeper, which sends it then, or up to a minute later. */
  readonly dueAtMs?: number | undefined;
  /** The time for the message to be received and done, where the work takes longer than most. */
  readonly headStartMs?: number | undefined;
  /** The writer does the work itself. The sweeper sends the message where it has not done so after the head start. */
  readonly isFallback?: boolean | undefined;
  readonly now?: (() => number) | undefined;
};

/**
 * A message as a write, for the commit of the change that causes it: it is recorded if and only if the change happens,
 * sent right after the commit, and again by the sweeper until its consumer has done the work. A worker that is killed in
 * between delays it by about a minute. A later message with the same id replaces it.
 * @example await jobs.create(job, { also: [sending({ service: 'batch', queue: 'tasks', body: { jobId } })] });
 */
export function sending({
  delaySeconds = 0,
  dueAtMs,
  headStartMs = HEAD_START_MS,
  isFallback = false,
  now = Date.now,
  ...message
}: SendingOptions): MessageWrite {
  if (dueAtMs !== undefined) return dueMessage({ ...message, dueAtMs });
  const sentAtMs = now() + delaySeconds * 1_000;
  if (delaySeconds > MAX_DELAY_SECONDS) return dueMessage({ ...message, dueAtMs: sentAtMs });
  const due = dueMessage({ ...message, dueAtMs: sentAtMs + headStartMs });
  return isFallback ? due : { ...due, delaySeconds, afterCommit: sendCommitted };
}

// The sweeper sends again after a failed send, and when the work is not done in time.
async function sendCommitted(writes: readonly ItemWrite[]): Promise<void> {
  const byQueue = Map.groupBy(writes.filter(isMessage), ({ message }) =>
    queueName(message.service, message.queue),
  );
  await Promise.all(
    [...byQueue.values()].map(async (group) => {
      const [{ message }] = group as [MessageWrite];
      const recorded = group.map(({ delaySeconds, message: { body, id, token, trace } }) => ({
        ...{ body, delaySeconds, trace, record: { id, token } },
      }));
      await senderOf(message.service)(message.queue, recorded).catch(() => undefined);
    }),
  );
}

const isMessage = (write: ItemWrite): write is MessageWrite => 'message' in write;

// SQS takes ten messages in a call, and the commits that are gathered have messages for one or two queues.
const MAX_GATHERED = 20;

/**
 * Gathers the messages of many commits and sends them ten in a call, in place of a call for each commit. The sweeper
 * sends those of a process that is killed before.
 * @example const messages = gatherMessages();
 *          for (const line of lines) await commit(messages.gathering(writesOf(line)));
 *          await messages.sendGathered();
 */
export function gatherMessages() {
  const gathered: ItemWrite[] = [];
  const sendGathered = (): Promise<void> => sendCommitted(gathered.splice(0));
  const gather = async (writes: readonly ItemWrite[]): Promise<void> => {
    gathered.push(...writes);
    if (gathered.length >= MAX_GATHERED) await sendGathered();
  };
  return {
    gathering: (writes: readonly Write[]): Write[] =>
      writes.map((write) =>
        write.afterCommit === sendCommitted ? { ...(write as MessageWrite), afterCommit: gather } : write,
      ),
    sendGathered,
  };
}

/**
 * Records a message in a commit of its own and sends it, for work that continues in another message.
 * @example await recordAndSend('documents', TASKS_QUEUE, { task: 'deleteFolder', folderId });
 */
export const recordAndSend = (
  service: ServiceName,
  queue: string,
  body: unknown,
  options: Omit<SendingOptions, 'service' | 'queue' | 'body'> = {},
): Promise<void> => commit([sending({ service, queue, body, ...options })]);

const buryIn =
  (service: ServiceName, now: () => number) =>
  (queue: string, body: unknown, { id }: OutboxRecord, sends: number): Promise<void> =>
    sendToDeadLetter(
      service,
      queue,
      { body: JSON.stringify(body), messageId: id, dedupe: id },
      {
        reason: `Sent ${sends} times and never done: every worker ended without an error.`,
        attempts: sends,
        failedAtMs: now(),
      },
    );

// A sweep that is out of time ends a batch that it has begun: its claims, and a send with its repeats.
const LAST_BATCH_MS = 5_000;

// An outage fails thousands of sends for one reason.
const MAX_FAILURES_LOGGED = 20;

const ShareInput = z
  .object({ share: z.int().min(0), of: z.int().min(1) })
  .refine(({ share, of }) => share < of, 'A share is counted from 0, and is less than the number of shares.');

/**
 * The task that sends recorded messages that are due: those with long delays, those that their writer did not send, and
 * those that were sent and not done. On rate(1 minute), so a message is at most about a minute late.
 *
 * One run takes all partitions. Where that is too few, several schedules of the same minute divide them by their
 * `input`, `{ share: 0, of: 4 }` to `{ share: 3, of: 4 }`.
 * @example export const handler = scheduleHandler('batch', 'send-due', sendDueMessages('batch'));
 */
export const sendDueMessages =
  (service: ServiceName) =>
  async ({ logger, now, remainingMs, input }: Task): Promise<void> => {
    const { failed, givenUp, more, sent, left, oldestMs } = await sendDue({
      service,
      send: senderOf(service),
      bury: buryIn(service, now),
      now,
      hasTime: () => remainingMs() > LAST_BATCH_MS,
      share: shareOf(input),
    });
    if (isScheduled(service)) {
      raiseGauge('DueBacklog', { Service: service }, left);
      raiseGauge('DueOldest', { Service: service }, Math.round(oldestMs / 1_000));
    }
    for (const { id, queue, error } of failed.slice(0, MAX_FAILURES_LOGGED)) {
      logger.error('A due message was not sent. It is sent again later.', { id, queue, error });
    }
    if (failed.length > MAX_FAILURES_LOGGED) {
      logger.error('Many due messages were not sent. They are sent again later.', { failed: failed.length });
    }
    for (const message of givenUp) {
      logger.error('A message that is never done went to the dead-letter queue.', message);
    }
    if (more) logger.warn('More messages are due than one sweep sends. The next one continues.', { sent });
  };

/** A schedule that declares no share, or a run by hand, takes everything. */
function shareOf(input: unknown): SweepShare {
  const isShared = typeof input === 'object' && input !== null && 'share' in input;
  return isShared ? ShareInput.parse(input) : { share: 0, of: 1 };
}
