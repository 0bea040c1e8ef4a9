import {
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { reasonOf } from '../../../shared/command-line/reason.ts';
import type { Invoke } from '../functions/invoke.ts';
import { realClock } from './clock.ts';
import { failedIds, toRecord } from './lambda-batch.ts';
import { buryLoop, continueChain, isLoop } from './recursion.ts';
import { type Source, startSource } from './source.ts';

export type QueueTrigger = {
  functionName: string;
  queueName: string;
  batchSize: number;
  /** How long to gather a fuller batch once the first message is there. */
  windowSeconds: number;
  reportsItemFailures: boolean;
  /** How many batches run at once. */
  concurrency: number;
  /** Whether the function may send to its own queue without end (recursiveLoop: Allow). */
  mayLoop: boolean;
};

type Queue = { sqs: SQSClient; queueUrl: string; queueArn: string };
type Report = (line: string) => void;

/** SQS's own limit of messages in one receive or delete. */
const SQS_BATCH = 10;
const LONG_POLL_SECONDS = 20;
/** The pause after a queue could not be read. */
const RETRY_MS = 1000;
/** Lambda's own limit of an event, as JSON. */
const MAX_EVENT_BYTES = 6 * 1024 * 1024;
const EMPTY_EVENT_BYTES = Buffer.byteLength('{"Records":[]}');
/** Leaves room for one more receive in an event. Escapes may make a batch larger: then it is split. */
const GATHER_BYTES = 3_400_000;

/**
 * Brings a queue's messages to a function as Lambda does: in batches, several at once, and deletes the successful ones.
 * Failed ones stay until their visibility ends; the queue itself redrives.
 * @example const source = startQueueSource(trigger, { sqs, queueUrl, queueArn }, invoke, console.error)
 */
export const startQueueSource = (trigger: QueueTrigger, queue: Queue, invoke: Invoke, tell: Report): Source =>
  startSource(async ({ signal, working, begin }) => {
    // A batch that the engine's own stop cuts off has not failed. It comes again.
    const report: Report = (line) => {
      if (!signal.aborted) tell(line);
    };
    while (!signal.aborted) {
      if (working.size >= trigger.concurrency) await Promise.race(working);
      else begin(handleBatch(await gather(trigger, queue, signal, report), trigger, queue, invoke, report));
    }
  });

/** Sends one event after the other where a batch is too large for one, so that the concurrency holds. */
async function handleBatch(
  batch: Message[],
  trigger: QueueTrigger,
  queue: Queue,
  invoke: Invoke,
  report: Report,
): Promise<void> {
  const handled = trigger.mayLoop ? batch : await withoutLoops(batch, trigger, queue, report);
  for (const part of splitIntoEvents(handled, queue.queueArn))
    await handlePart(part, trigger, queue, invoke, report);
}

/** Takes the messages out that Lambda would not deliver, because their function sends to itself again and again. */
async function withoutLoops(
  batch: Message[],
  { functionName, queueName }: QueueTrigger,
  queue: Queue,
  report: Report,
): Promise<Message[]> {
  const isOver = (message: Message) => isLoop(message, queueName);
  for (const message of batch.filter(isOver)) {
    try {
      report(await buryLoop(message, { ...queue, functionName, queueName }));
      await deleteAll([message], queue);
    } catch (error) {
      // It comes again when its visibility ends.
      report(`${queueName}: a message of a recursive loop stays: ${reasonOf(error)}`);
    }
  }
  return batch.filter((message) => !isOver(message));
}

/** A message that is too large by itself goes alone: the function's host refuses it. */
function splitIntoEvents(batch: Message[], queueArn: string): Message[][] {
  const parts: Message[][] = [];
  let room = 0;
  for (const message of batch) {
    const bytes = Buffer.byteLength(JSON.stringify(toRecord(message, queueArn))) + 1;
    if (bytes > room) {
      parts.push([]);
      room = MAX_EVENT_BYTES - EMPTY_EVENT_BYTES;
    }
    parts.at(-1)?.push(message);
    room -= bytes;
  }
  return parts;
}

async function handlePart(
  batch: Message[],
  trigger: QueueTrigger,
  queue: Queue,
  invoke: Invoke,
  report: Report,
): Promise<void> {
  const records = batch.map((message) => toRecord(message, queue.queueArn));
  const result = await continueChain(batch, trigger.queueName, () =>
    invoke(trigger.functionName, { Records: records }),
  );
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
    await deleteAll(done, queue);
  } catch (error) {
    // They come again when their visibility ends: SQS delivers at least once.
    report(`${trigger.queueName}: handled messages could not be deleted: ${reasonOf(error)}`);
  }
}

async function deleteAll(messages: Message[], { sqs, queueUrl }: Queue): Promise<void> {
  for (let from = 0; from < messages.length; from += SQS_BATCH) {
    const Entries = messages
      .slice(from, from + SQS_BATCH)
      .map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
    const { Failed = [] } = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    if (Failed.length > 0) throw new Error(`${Failed.length} refused (${Failed[0]?.Code})`);
  }
}

/** The next batch: the messages of one receive, and of more receives while the window lasts and there is room. */
async function gather(
  { batchSize, windowSeconds, queueName }: QueueTrigger,
  queue: Queue,
  signal: AbortSignal,
  report: Report,
): Promise<Message[]> {
  const batch: Message[] = [];
  try {
    batch.push(...(await receive(queue, Math.min(batchSize, SQS_BATCH), LONG_POLL_SECONDS, signal)));
    const windowEnds = Date.now() + windowSeconds * 1000;
    const wantsMore = () => batch.length < batchSize && bytesOf(batch) < GATHER_BYTES;
    while (batch.length > 0 && wantsMore() && Date.now() < windowEnds) {
      const room = Math.min(batchSize - batch.length, SQS_BATCH);
      const waitSeconds = Math.min(LONG_POLL_SECONDS, Math.ceil((windowEnds - Date.now()) / 1000));
      batch.push(...(await receive(queue, room, waitSeconds, signal)));
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

async function receive({ sqs, queueUrl }: Queue, max: number, waitSeconds: number, signal: AbortSignal) {
  const command = new ReceiveMessageCommand({
    QueueUrl: queueUrl,
    MaxNumberOfMessages: max,
    WaitTimeSeconds: waitSeconds,
    MessageSystemAttributeNames: ['All'],
    MessageAttributeNames: ['All'],
  });
  const { Messages = [] } = await sqs.send(command, { abortSignal: signal });
  return Messages;
}
