import { setTimeout as pause } from 'node:timers/promises';
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import { jitteredBackoff } from '../async/retry.ts';
import { queueName, type ServiceName } from '../settings/names.ts';
import type { OutboxRecord } from '../store/due/message.ts';
import type { Trace } from '../trace/trace.ts';
import { queueUrl, sqs } from './client.ts';
import { type Envelope, envelope } from './envelope.ts';
import { MessageTooLarge, NotSent } from './errors.ts';

export type SendOptions = {
  /** At most the 15 minutes of SQS. A message that waits longer is recorded: see `sending`. */
  readonly delaySeconds?: number | undefined;
  /**
   * A name for the work of the message. SQS may deliver twice and a sender may send twice; the handler gets this name as
   * the message's id, the same in every copy.
   */
  readonly dedupe?: string | undefined;
  /** The outbox record of the message. The consumer deletes it when the work is done. */
  readonly record?: OutboxRecord | undefined;
  /** The trace that the message goes on with; that of the work that sends it where it is left out. */
  readonly trace?: Trace | undefined;
};
export type Outgoing = SendOptions & { readonly body: unknown };

// The limit of SQS.
export const MAX_DELAY_SECONDS = 900;
const BATCH_MESSAGES = 10;
// Below SQS's limit: ten of them fit a function's event, and each fits an item of the table if it has to wait.
const MAX_BYTES = 256 * 1024;
// SQS refuses single entries of a group when it is throttled, for less than a second.
const MAX_ATTEMPTS = 4;
const PAUSES = jitteredBackoff(50);

/**
 * Sends one message, its body as JSON.
 * @example await send('documents', 'uploads', { uploadId }, { delaySeconds: 30 });
 */
export const send = (
  service: ServiceName,
  queue: string,
  body: unknown,
  options: SendOptions = {},
): Promise<void> => sendAll(service, queue, [{ body, ...options }]);

/**
 * Sends any number of messages. Throws NotSent, with the positions of the refused messages, when some were refused.
 * @example await sendAll('batch', 'files', files.map((file) => ({ body: { fileId: file.id } })));
 */
export async function sendAll(
  service: ServiceName,
  queue: string,
  messages: readonly Outgoing[],
): Promise<void> {
  const name = queueName(service, queue);
  const numbered = messages.map(({ body, dedupe, record, trace, delaySeconds = 0 }, index) => {
    if (delaySeconds > MAX_DELAY_SECONDS)
      throw new Error(
        `${name} keeps a message for 15 minutes at most, not for ${delaySeconds} s. Record it.`,
      );
    const sealed = envelope(body, { dedupe, record, trace }, delaySeconds);
    if (sealed.bytes > MAX_BYTES) throw new MessageTooLarge(name, index, sealed.bytes, MAX_BYTES);
    return { index, sealed };
  });
  const reasons = new Map<number, string>();
  for (const group of groupMessages(numbered))
    for (const [index, reason] of await sendGroup(name, group)) reasons.set(index, reason);
  if (reasons.size > 0) throw new NotSent(name, messages.length, reasons);
}

type Numbered = { readonly index: number; readonly sealed: Envelope };

function groupMessages(messages: readonly Numbered[]): Numbered[][] {
  const groups: Numbered[][] = [];
  let bytes = 0;
  for (const message of messages) {
    const group = groups.at(-1);
    if (group && group.length < BATCH_MESSAGES && bytes + message.sealed.bytes <= MAX_BYTES) {
      group.push(message);
      bytes += message.sealed.bytes;
    } else {
      groups.push([message]);
      bytes = message.sealed.bytes;
    }
  }
  return groups;
}

/** The entries that were not sent, each with its reason. */
async function sendGroup(name: string, group: readonly Numbered[]): Promise<Map<number, string>> {
  const refused = new Map<number, string>();
  let left = group;
  for (let attempt = 1; left.length > 0; attempt += 1) {
    const failures = await sendOnce(name, left);
    const again = failures.filter(({ final }) => !final && attempt < MAX_ATTEMPTS);
    for (const failure of failures) {
      if (!again.includes(failure)) refused.set(failure.index, failure.reason);
    }
    left = left.filter(({ index }) => again.some((failure) => failure.index === index));
    if (left.length > 0) await pause(PAUSES(attempt));
  }
  return refused;
}

type Failure = { readonly index: number; readonly reason: string; readonly final: boolean };

async function sendOnce(name: string, group: readonly Numbered[]): Promise<Failure[]> {
  const Entries = group.map(({ index, sealed: { bytes: _, ...entry } }) => ({ Id: String(index), ...entry }));
  try {
    const QueueUrl = await queueUrl(name);
    const { Failed = [] } = await sqs().send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    return Failed.map(({ Id, Code, Message = Code ?? 'refused', SenderFault = false }) => ({
      index: Number(Id),
      reason: Message,
      final: SenderFault,
    }));
  } catch (error) {
    // The client has already made several attempts with the whole call.
    return group.map(({ index }) => ({ index, reason: (error as Error).message, final: true }));
  }
}
