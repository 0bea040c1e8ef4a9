import * as z from 'zod';
import type { ServiceName } from '../settings/names.ts';
import { commit } from '../store/commit.ts';
import { dueMessage, HEAD_START_MS, type OutboxRecord, type Send } from '../store/due/message.ts';
import { type SweepShare, sendDue } from '../store/due/sweep.ts';
import { sendToDeadLetter } from './dead-letter.ts';
import { dedupeOf } from './delayed.ts';
import { MessageTooLarge, NotSent } from './errors.ts';
import type { Task } from './schedule.ts';
import { MAX_DELAY_SECONDS, send, sendAll } from './send.ts';

/**
 * The function that puts recorded messages on the service's queues.
 * @example await sendNow([message], senderOf('batch'));
 */
export const senderOf =
  (service: ServiceName): Send =>
  async (queue, messages) => {
    const outgoing = messages.map(({ body, record }) => ({
      body,
      record,
      dedupe: dedupeOf(queue, record.id),
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

type RecordOptions = {
  readonly delaySeconds?: number | undefined;
  /** A later record with the same id replaces this one. */
  readonly id?: string | undefined;
  /** The time for the message to be received and done, where the work takes longer than most. */
  readonly headStartMs?: number | undefined;
  readonly now?: () => number;
};

/**
 * Records a message and sends it, for work that continues in another message. A worker that is killed in between
 * delays the work by about a minute.
 * @example await recordAndSend('documents', TASKS_QUEUE, { task: 'deleteFolder', folderId });
 */
export async function recordAndSend(
  service: ServiceName,
  queue: string,
  body: unknown,
  { delaySeconds = 0, id, headStartMs = HEAD_START_MS, now = Date.now }: RecordOptions = {},
): Promise<void> {
  const isSentNow = delaySeconds <= MAX_DELAY_SECONDS;
  const dueAtMs = now() + delaySeconds * 1_000 + (isSentNow ? headStartMs : 0);
  const { message, ...write } = dueMessage({ service, queue, body, dueAtMs, ...(id && { id }) });
  await commit([write]);
  if (!isSentNow) return;
  // The sweeper sends again after a failed send, and when the work is not done in time.
  const { id: dedupe, token } = message;
  const options = { delaySeconds, dedupe, record: { id: dedupe, token } };
  await send(service, queue, body, options).catch(() => undefined);
}

const buryIn =
  (service: ServiceName, now: () => number) =>
  (queue: string, body: unknown, { id }: OutboxRecord, sends: number): Promise<void> =>
    sendToDeadLetter(
      service,
      queue,
      { body: JSON.stringify(body), messageId: id, dedupe: dedupeOf(queue, id) },
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
    const { failed, givenUp, more, sent } = await sendDue({
      service,
      send: senderOf(service),
      bury: buryIn(service, now),
      now,
      hasTime: () => remainingMs() > LAST_BATCH_MS,
      share: shareOf(input),
    });
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
