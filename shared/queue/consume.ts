import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { type Logger, logger } from '../log/logger.ts';
import { queueName, type ServiceName } from '../settings/names.ts';
import { forget, HEAD_START_MS, postpone } from '../store/due/message.ts';
import { queueUrl, sqs } from './client.ts';
import { sendToDeadLetter } from './dead-letter.ts';
import { DEDUPE, outboxRecordOf } from './envelope.ts';
import { Poison } from './errors.ts';

export type Consumer<Schema extends z.ZodType> = {
  readonly service: ServiceName;
  readonly queue: string;
  readonly message: Schema;
  /** After so many deliveries a message is given up. At most the queue's own maxReceiveCount, or that acts first. */
  readonly maxReceives: number;
  readonly concurrency?: number;
  readonly now?: () => number;
};

export type Incoming = {
  /** Which delivery this is, from 1. */
  readonly attempt: number;
  /** The sender's `dedupe` name if it gave one: the same in every copy. Else SQS's id. */
  readonly id: string;
  readonly logger: Logger;
};

// Work on messages waits for stores and other services, not for the processor. Half a usual batch at a time
// keeps a function's memory and the load on what it calls in bounds.
const AT_ONCE = 5;

// How long a failed message stays invisible, by its delivery: seconds for what passes at once, and in all about
// 20 minutes for an outage. Left alone, SQS would hide it for the queue's visibility of many minutes each time.
const RETRY_AFTER_SECONDS = [5, 30, 180, 900] as const;
const LAST_RETRY_AFTER_SECONDS = 900;

/**
 * A queue's function. Messages of a batch succeed and fail one by one: what throws is delivered again after a
 * backoff, until its last delivery; that, a Poison, or a message of the wrong shape goes to the dead-letter queue
 * with its reason. A message that came from an outbox leaves it here, when its work is done.
 * SQS delivers at least once, so handling a message twice must do no harm.
 * @example export const handler = consume(
 *            { service: 'documents', queue: 'uploads', message: Upload, maxReceives: 5 },
 *            async ({ uploadId }, { logger }) => checkUpload(uploadId),
 *          );
 */
export function consume<Schema extends z.ZodType>(
  consumer: Consumer<Schema>,
  handle: (message: z.output<Schema>, incoming: Incoming) => Promise<void>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  const { service, queue, message, maxReceives, concurrency: atOnce = AT_ONCE, now = Date.now } = consumer;
  const log = logger(service);

  /** Whether the message is done with; otherwise SQS keeps it and delivers it again. */
  async function isSettled(record: SQSRecord): Promise<boolean> {
    const attempt = Number(record.attributes.ApproximateReceiveCount) || 1;
    const id = record.messageAttributes[DEDUPE]?.stringValue ?? record.messageId;
    const itsLog = log.with({ queue, messageId: record.messageId, attempt });
    try {
      await handle(await read(message, record.body), { attempt, id, logger: itsLog });
      await leaveOutbox(record, itsLog);
      return true;
    } catch (error) {
      const reason = reasonToGiveUp(error, attempt, maxReceives);
      if (reason !== undefined) return isBuried(record, attempt, reason, itsLog, error);
      const retryAfterSeconds = await deliverAgain(record, attempt, itsLog);
      itsLog.warn('A message failed and will be delivered again.', { retryAfterSeconds, error });
      return false;
    }
  }

  // The work is done, whatever happens here: a record that stays leads to a repeat that does nothing.
  async function leaveOutbox(record: SQSRecord, itsLog: Logger): Promise<void> {
    const recorded = outboxRecordOf(record);
    if (!recorded) return;
    await forget({ service, ...recorded }).catch((error: unknown) =>
      itsLog.warn('A message that is done stays in the outbox and will come again.', { error }),
    );
  }

  // The outbox waits as long as SQS does, so that it sends no second copy meanwhile. Neither call is needed for the
  // message to come again: without them it only does so later, or twice.
  async function deliverAgain(record: SQSRecord, attempt: number, itsLog: Logger): Promise<number> {
    const mostSeconds = RETRY_AFTER_SECONDS[attempt - 1] ?? LAST_RETRY_AFTER_SECONDS;
    // Jitter, or what failed together would come back together.
    const seconds = Math.ceil(mostSeconds * (0.5 + Math.random() / 2));
    const recorded = outboxRecordOf(record);
    const dueAtMs = now() + seconds * 1_000 + HEAD_START_MS;
    const outcomes = await Promise.allSettled([
      hideFor(record.receiptHandle, seconds),
      ...(recorded ? [postpone({ service, ...recorded }, dueAtMs)] : []),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        itsLog.warn('A failed message could not be put off.', { error: outcome.reason });
    }
    return seconds;
  }

  async function hideFor(ReceiptHandle: string, VisibilityTimeout: number): Promise<void> {
    const QueueUrl = await queueUrl(queueName(service, queue));
    await sqs().send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }));
  }

  // Only once the dead-letter queue has the message is it acknowledged here. If the function dies in between,
  // it is delivered and buried again: twice is better than never.
  async function isBuried(
    record: SQSRecord,
    attempts: number,
    reason: string,
    itsLog: Logger,
    error: unknown,
  ): Promise<boolean> {
    try {
      const { body, messageId } = record;
      const dedupe = record.messageAttributes[DEDUPE]?.stringValue;
      await sendToDeadLetter(
        service,
        queue,
        { body, messageId, dedupe },
        { reason, attempts, failedAtMs: now() },
      );
      await leaveOutbox(record, itsLog);
      itsLog.error('A message went to the dead-letter queue.', { reason, error });
      return true;
    } catch (unsent) {
      itsLog.error('A message is hopeless, and the dead-letter queue did not take it.', {
        reason,
        error: unsent,
      });
      return false;
    }
  }

  return async ({ Records }) => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    await eachAtMost(atOnce, Records, async (record) => {
      if (!(await isSettled(record))) batchItemFailures.push({ itemIdentifier: record.messageId });
    });
    return { batchItemFailures };
  };
}

async function read<Schema extends z.ZodType>(schema: Schema, body: string): Promise<z.output<Schema>> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new Poison('The message is not JSON.');
  }
  const parsed = await schema.safeParseAsync(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new Poison(`The message has not the shape its queue takes. ${problems.join('; ')}`);
}

function reasonToGiveUp(error: unknown, attempt: number, maxReceives: number): string | undefined {
  if (error instanceof Poison) return error.message;
  if (attempt < maxReceives) return undefined;
  return `Failed ${attempt} times, the last time with ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
}

async function eachAtMost<T>(limit: number, items: readonly T[], work: (item: T) => Promise<void>) {
  const waiting = items.values();
  const worker = async (): Promise<void> => {
    for (const item of waiting) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
}
