import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { maskText } from '../log/redact.ts';
import { deadLetterName, type ServiceName } from '../settings/names.ts';
import { queueUrl, sqs } from './client.ts';
import { DEDUPE, number, text, traceAttributes } from './envelope.ts';

/** A message that is given up. */
export type DeadLetter = {
  readonly body: string;
  readonly messageId: string;
  readonly dedupe?: string | undefined;
};

export type Failure = { readonly reason: string; readonly attempts: number; readonly failedAtMs: number };

/**
 * Sends a message, its body unchanged, to its queue's dead-letter queue, with the reason. The queue's own redrive would
 * move it without one.
 */
export async function sendToDeadLetter(
  service: ServiceName,
  queue: string,
  { body, messageId, dedupe }: DeadLetter,
  { reason, attempts, failedAtMs }: Failure,
): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: await queueUrl(deadLetterName(service, queue)),
      MessageBody: body,
      MessageAttributes: {
        reason: text(replaceRefusedCharacters(maskText(reason)) || 'No reason was given.'),
        attempts: number(attempts),
        failedAt: text(new Date(failedAtMs).toISOString()),
        originalId: text(messageId),
        ...(dedupe ? { [DEDUPE]: text(dedupe) } : {}),
        ...traceAttributes(),
      },
    }),
  );
}

// A reason quotes errors of any origin. A character that SQS refuses would keep the message out of the queue.
const replaceRefusedCharacters = (reason: string): string =>
  reason.replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD]/g, '\uFFFD');
