import { ChangeMessageVisibilityCommand } from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { forEachConcurrently } from '../async/for-each-concurrently.ts';
import { type Logger, logger } from '../log/logger.ts';
import { count, declareValues } from '../metrics/count.ts';
import { type DimensionsOf, isMetered } from '../metrics/table.ts';
import { queueName, type ServiceName } from '../settings/names.ts';
import { canceling, forget, HEAD_START_MS, type OutboxRecord, postpone } from '../store/due/message.ts';
import type { Write } from '../store/write.ts';
import { endRun } from '../telemetry/end-run.ts';
import { inSpan } from '../trace/spans.ts';
import { runInTrace } from '../trace/trace.ts';
import { queueUrl, sqs } from './client.ts';
import { sendToDeadLetter } from './dead-letter.ts';
import { DEDUPE, outboxRecordOf, traceOf } from './envelope.ts';
import { Poison } from './errors.ts';
import '../settings/values-at-start.ts';

export type Consumer<Schema extends z.ZodType> = {
  readonly service: ServiceName;
  readonly queue: string;
  readonly message: Schema;
  /** After so many deliveries a message is given up. At most the queue's own maxReceiveCount, which would act first. */
  readonly maxReceives: number;
  /** Messages of a batch in work at once. */
  readonly concurrency?: number;
  readonly now?: () => number;
};

export type Incoming = {
  /** The number of this delivery, from 1. */
  readonly attempt: number;
  /** The sender's `dedupe` name, the same in every copy; without one, SQS's id. */
  readonly id: string;
  /** The message's outbox record, for a handler that sends the message on. */
  readonly record: OutboxRecord | undefined;
  /**
   * The deletion of the message's outbox record, for the commit that does its work; none without a record. A handler
   * that has committed it answers 'forgotten', and the consumer makes no call for it. Only for a record that no later
   * message replaces.
   */
  readonly forgetting: readonly Write[];
  readonly logger: Logger;
};

/** The answer of a handler that has deleted or replaced the outbox record with its work, or keeps it for a later message. */
type Handled = 'forgotten' | undefined;

// Work on messages waits for stores and other services, not for the processor. Half a usual batch at a time bounds a
// function's memory and the load on the services that it calls.
const CONCURRENCY = 5;

// How long a failed message stays invisible, by the number of its delivery: seconds for a short failure, about 20
// minutes in all for an outage. Otherwise SQS would hide it for the queue's visibility timeout of many minutes.
const RETRY_AFTER_SECONDS = [5, 30, 180, 900] as const;
const LAST_RETRY_AFTER_SECONDS = 900;

/**
 * The function of a queue. Messages of a batch succeed and fail one by one. A message whose handler throws is delivered
 * again after a backoff. After its last delivery, on Poison, or with a wrong shape it goes to the dead-letter queue with
 * the reason. The outbox record of a message is deleted when its work is done.
 * SQS delivers at least once, so handling a message twice must do no harm.
 * @example export const handler = consume(
 *            { service: 'documents', queue: 'uploads', message: Upload, maxReceives: 5 },
 *            async ({ uploadId }, { logger }) => checkUpload(uploadId),
 *          );
 */
export function consume<Schema extends z.ZodType>(
  consumer: Consumer<Schema>,
  handle: (message: z.output<Schema>, incoming: Incoming) => Promise<void> | Promise<Handled>,
): (event: SQSEvent) => Promise<SQSBatchResponse> {
  const { service, queue, message, maxReceives, concurrency = CONCURRENCY, now = Date.now } = consumer;
  const log = logger(service);
  declareValues('Queue', [queue]);
  const countMessage = (Outcome: DimensionsOf<'Messages'>['Outcome']): void => {
    if (isMetered(service)) count('Messages', { Service: service, Queue: queue, Outcome });
  };

  /** True when the message is done or given up; otherwise SQS delivers it again. */
  async function settle(record: SQSRecord): Promise<boolean> {
    const attempt = Number(record.attributes.ApproximateReceiveCount) || 1;
    const id = record.messageAttributes[DEDUPE]?.stringValue ?? record.messageId;
    const messageLog = log.with({ queue, messageId: record.messageId, attempt });
    try {
      const recorded = outboxRecordOf(record);
      const forgetting = recorded ? [canceling(service, recorded.id)] : [];
      const incoming = { attempt, id, record: recorded, forgetting, logger: messageLog };
      const handled = await handle(await parse(message, record.body), incoming);
      if (handled !== 'forgotten') await deleteOutboxRecord(record, messageLog);
      countMessage('done');
      return true;
    } catch (error) {
      const reason = reasonToGiveUp(error, attempt, maxReceives);
      if (reason !== undefined) return moveToDeadLetters(record, attempt, reason, messageLog, error);
      countMessage('retried');
      const retryAfterSeconds = await postponeDelivery(record, attempt, messageLog);
      messageLog.warn('A message failed and will be delivered again.', { retryAfterSeconds, error });
      return false;
    }
  }

  // The work is done even if this fails: a record that stays only causes a repeat.
  async function deleteOutboxRecord(record: SQSRecord, messageLog: Logger): Promise<void> {
    const recorded = outboxRecordOf(record);
    if (!recorded) return;
    await forget({ service, ...recorded }).catch((error: unknown) =>
      messageLog.warn(
        'The outbox record of a message that is done was not deleted. The message will come again.',
        { error },
      ),
    );
  }

  // The outbox waits as long as SQS, so that it sends no second copy meanwhile. Without these calls the message still
  // comes again, but later or twice.
  async function postponeDelivery(record: SQSRecord, attempt: number, messageLog: Logger): Promise<number> {
    const maxSeconds = RETRY_AFTER_SECONDS[attempt - 1] ?? LAST_RETRY_AFTER_SECONDS;
    // Jitter: messages that failed together must not come back together.
    const seconds = Math.ceil(maxSeconds * (0.5 + Math.random() / 2));
    const recorded = outboxRecordOf(record);
    const dueAtMs = now() + seconds * 1_000 + HEAD_START_MS;
    const outcomes = await Promise.allSettled([
      hideFor(record.receiptHandle, seconds),
      ...(recorded ? [postpone({ service, ...recorded }, dueAtMs)] : []),
    ]);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected')
        messageLog.warn('A failed message could not be postponed.', { error: outcome.reason });
    }
    return seconds;
  }

  async function hideFor(ReceiptHandle: string, VisibilityTimeout: number): Promise<void> {
    const QueueUrl = await queueUrl(queueName(service, queue));
    await sqs().send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout }));
  }

  // The message is acknowledged only when the dead-letter queue has it. If the function dies in between, it is
  // delivered and moved again: twice is better than never.
  async function moveToDeadLetters(
    record: SQSRecord,
    attempts: number,
    reason: string,
    messageLog: Logger,
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
      await deleteOutboxRecord(record, messageLog);
      countMessage('dead');
      messageLog.error('A message went to the dead-letter queue.', { reason, error });
      return true;
    } catch (unsent) {
      messageLog.error('A message is given up, and the dead-letter queue did not take it.', {
        reason,
        error: unsent,
      });
      return false;
    }
  }

  /** Each message is in the trace of its sender. */
  const settleInTrace = (record: SQSRecord): Promise<boolean> => {
    const trace = traceOf(service, record);
    const end = (isSettled: boolean) => ({ isError: !isSettled });
    return runInTrace(trace, () =>
      inSpan(trace, { kind: 'consumer', name: queue }, () => settle(record), end),
    );
  };

  return async ({ Records }) => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    try {
      await forEachConcurrently(concurrency, Records, async (record) => {
        if (!(await settleInTrace(record))) batchItemFailures.push({ itemIdentifier: record.messageId });
      });
    } finally {
      await endRun();
    }
    return { batchItemFailures };
  };
}

async function parse<Schema extends z.ZodType>(schema: Schema, body: string): Promise<z.output<Schema>> {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    throw new Poison('The message is not JSON.');
  }
  const parsed = await schema.safeParseAsync(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'body'}: ${message}`);
  throw new Poison(`The message does not have the shape of its queue. ${problems.join('; ')}`);
}

function reasonToGiveUp(error: unknown, attempt: number, maxReceives: number): string | undefined {
  if (error instanceof Poison) return error.message;
  if (attempt < maxReceives) return undefined;
  return `Failed ${attempt} times, the last time with ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
}
