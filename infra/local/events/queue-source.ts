import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import { failedIds } from './batch-outcome.ts';
import { realClock } from './clock.ts';
import type { Invoke } from './invoke.ts';
import { toRecord } from './sqs-record.ts';

export type QueueTrigger = {
  functionName: string;
  queueName: string;
  batchSize: number;
  /** How long to gather a fuller batch once the first message is there. */
  windowSeconds: number;
  reportsItemFailures: boolean;
  /** Batches in work at once. */
  concurrency: number;
};

type Place = { sqs: SQSClient; queueUrl: string; queueArn: string };
type Report = (line: string) => void;

/** One receive brings at most ten messages, and one delete takes at most ten: SQS's own limits. */
const SQS_BATCH = 10;
const LONG_POLL_SECONDS = 20;
/** A queue that cannot be reached is asked again at this pace. */
const RETRY_MS = 1000;
/** What one event may hold, as JSON: Lambda's own limit. */
const EVENT_BYTES = 6 * 1024 * 1024;
const EMPTY_EVENT_BYTES = Buffer.byteLength('{"Records":[]}');
/** About what fits in one event after one more receive. Escapes may make more of it: then it is split. */
const GATHER_BYTES = 3_400_000;

/**
 * Brings a queue's messages to a function as Lambda does: in batches, several at once, deleting only
 * what succeeded. What failed stays until its visibility ends; redrive is the queue's own affair.
 * @example const source = startQueueSource(trigger, { sqs, queueUrl, queueArn }, invoke, console.error)
 */
export function startQueueSource(trigger: QueueTrigger, place: Place, invoke: Invoke, report: Report) {
  const stopping = new AbortController();
  const working = new Set<Promise<void>>();

  const take = (batch: Message[]) => {
    const work = handleBatch(batch, trigger, place, invoke, report).finally(() => working.delete(work));
    working.add(work);
  };
  const run = async () => {
    while (!stopping.signal.aborted) {
      if (working.size >= trigger.concurrency) await Promise.race(working);
      else take(await gather(trigger, place, stopping.signal, report));
    }
  };
  const running = run();

  /** Receives nothing more and waits for the batches in work. */
  const stop = async (): Promise<void> => {
    stopping.abort();
    await running;
    await Promise.all(working);
  };
  return { stop };
}

/** One event after the other where a batch is too large for one, so that no more are in work than allowed. */
async function handleBatch(
  batch: Message[],
  trigger: QueueTrigger,
  place: Place,
  invoke: Invoke,
  report: Report,
): Promise<void> {
  for (const part of inEvents(batch, place.queueArn)) await handlePart(part, trigger, place, invoke, report);
}

/** A message that is too large by itself goes alone: the function's host refuses it in its own words. */
function inEvents(batch: Message[], queueArn: string): Message[][] {
  const parts: Message[][] = [];
  let room = 0;
  for (const message of batch) {
    const bytes = Buffer.byteLength(JSON.stringify(toRecord(message, queueArn))) + 1;
    if (bytes > room) {
      parts.push([]);
      room = EVENT_BYTES - EMPTY_EVENT_BYTES;
    }
    parts.at(-1)?.push(message);
    room -= bytes;
  }
  return parts;
}

async function handlePart(
  batch: Message[],
  trigger: QueueTrigger,
  place: Place,
  invoke: Invoke,
  report: Report,
): Promise<void> {
  const records = batch.map((message) => toRecord(message, place.queueArn));
  const result = await invoke(trigger.functionName, { Records: records });
  if (!result.ok) {
    report(
      `${trigger.functionName} failed a batch of ${batch.length} from ${trigger.queueName}: ${result.reason}`,
    );
    return;
  }
  const ids = records.map((record) => record.messageId);
  const failed = trigger.reportsItemFailures ? failedIds(result.answer, ids) : new Set<string>();
  const done = batch.filter((message) => !failed.has(message.MessageId ?? ''));
  try {
    await deleteAll(done, place);
  } catch (error) {
    // They come again when their visibility ends: at least once is the queue's promise.
    report(`${trigger.queueName}: handled messages could not be deleted: ${reasonOf(error)}`);
  }
}

async function deleteAll(messages: Message[], { sqs, queueUrl }: Place): Promise<void> {
  for (let from = 0; from < messages.length; from += SQS_BATCH) {
    const Entries = messages
      .slice(from, from + SQS_BATCH)
      .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    const { Failed = [] } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    if (Failed.length > 0) throw new Error(`${Failed.length} refused (${Failed[0]?.Code})`);
  }
}

/** The next batch: what one receive brings, and more of it while the window lasts and there is room. */
async function gather(
  { batchSize, windowSeconds, queueName }: QueueTrigger,
  place: Place,
  signal: AbortSignal,
  report: Report,
): Promise<Message[]> {
  const batch: Message[] = [];
  try {
    batch.push(...(await receive(place, Math.min(batchSize, SQS_BATCH), LONG_POLL_SECONDS, signal)));
    const windowEnds = Date.now() + windowSeconds * 1000;
    const wantsMore = () => batch.length < batchSize && bytesOf(batch) < GATHER_BYTES;
    while (batch.length > 0 && wantsMore() && Date.now() < windowEnds) {
      const room = Math.min(batchSize - batch.length, SQS_BATCH);
      const waitSeconds = Math.min(LONG_POLL_SECONDS, Math.ceil((windowEnds - Date.now()) / 1000));
      batch.push(...(await receive(place, room, waitSeconds, signal)));
    }
  } catch (error) {
    if (!signal.aborted) {
      report(`${queueName} cannot be read: ${reasonOf(error)}`);
      await realClock.wait(RETRY_MS, signal);
    }
  }
  return batch;
}

const bytesOf = (batch: Message[]): number =>
  batch.reduce((sum, { Body = '' }) => sum + Buffer.byteLength(Body), 0);

async function receive({ sqs, queueUrl }: Place, most: number, waitSeconds: number, signal: AbortSignal) {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: most,
    WaitTimeSeconds: waitSeconds,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  });
  const { Messages = [] } = await sqs.send(command, { abortSignal: signal });
  return Messages;
}
