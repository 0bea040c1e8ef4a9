import { SendMessageCommand } from '@aws-sdk/client-sqs';
import { maskText } from '../log/redact.ts';
import { deadLetterName, type ServiceName } from '../settings/names.ts';
import { queueUrl, sqs } from './client.ts';
import { DEDUPE, number, text } from './envelope.ts';

/** What is known of a message that is given up. */
export type Hopeless = {
  readonly body: string;
  readonly messageId: string;
  readonly dedupe?: string | undefined;
};

export type Failure = { readonly reason: string; readonly attempts: number; readonly failedAtMs: number };

/**
 * Sends a message, its body as it came, to its queue's dead-letter queue, with why it failed. The queue's own
 * redrive would move it too, but without a word.
 */
export async function sendToDeadLetter(
  service: ServiceName,
  queue: string,
  { body, messageId, dedupe }: Hopeless,
  { reason, attempts, failedAtMs }: Failure,
): Promise<void> {
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: await queueUrl(deadLetterName(service, queue)),
      MessageBody: body,
      MessageAttributes: {
        reason: text(plain(maskText(reason)) || 'No reason was given.'),
        attempts: number(attempts),
        failedAt: text(new Date(failedAtMs).toISOString()),
        originalId: text(messageId),
        ...(dedupe ? { [DEDUPE]: text(dedupe) } : {}),
      },
    }),
  );
}

// A reason quotes errors of any origin; a character that SQS refuses would keep the message from being buried.
const plain = (reason: string): string => reason.replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD]/g, '\uFFFD');
