import type { ServiceName } from '../settings/names.ts';
import { commit } from '../store/commit.ts';
import { dueMessage, HEAD_START_MS, type OutboxRecord, type Send } from '../store/due/message.ts';
import { sendDue } from '../store/due/sweep.ts';
import { sendToDeadLetter } from './dead-letter.ts';
import { dedupeOf } from './delayed.ts';
import type { Task } from './schedule.ts';
import { MAX_DELAY_SECONDS, send } from './send.ts';

/**
 * The function that puts recorded messages on the service's queues.
 * @example await sendNow([message], senderOf('batch'));
 */
export const senderOf =
  (service: ServiceName): Send =>
  (queue, body, record) =>
    send(service, queue, body, { dedupe: dedupeOf(queue, record.id), record });

type RecordOptions = {
  readonly delaySeconds?: number | undefined;
  /** A later record with the same id replaces this one. */
  readonly id?: string | undefined;
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
  { delaySeconds = 0, id, now = Date.now }: RecordOptions = {},
): Promise<void> {
  const isSentNow = delaySeconds <= MAX_DELAY_SECONDS;
  const dueAtMs = now() + delaySeconds * 1_000 + (isSentNow ? HEAD_START_MS : 0);
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

/**
 * The task that sends recorded messages that are due: those with long delays, those that their writer did not send, and
 * those that were sent and not done. On rate(1 minute), so a message is at most about a minute late.
 * @example export const handler = scheduleHandler('batch', 'send-due', sendDueMessages('batch'));
 */
export const sendDueMessages =
  (service: ServiceName) =>
  async ({ logger, now }: Task): Promise<void> => {
    const swept = await sendDue({ service, send: senderOf(service), bury: buryIn(service, now), now });
    for (const { id, queue, error } of swept.failed) {
      logger.error('A due message was not sent. It is sent again later.', { id, queue, error });
    }
    for (const message of swept.givenUp) {
      logger.error('A message that is never done went to the dead-letter queue.', message);
    }
    if (swept.more) logger.warn('More messages are due than one sweep sends.', { sent: swept.sent });
  };
