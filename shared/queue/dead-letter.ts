import { SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import { maskText } from '../log/sensitive.ts';
import { deadLetterName, type ServiceName } from '../settings/names.ts';
import { queueUrl, sqs } from './client.ts';
import { DEDUPE, number, text } from './envelope.ts';

export type Failure = { readonly reason: string; readonly attempts: number; readonly failedAtMs: number };

/**
 * Sends a message, its body as it came, to its queue's dead-letter queue, with why it failed. The queue's own
 * redrive would move it too, but without a word.
 */
export async function sendToDeadLetter(
  service: ServiceName,
  queue: string,
  record: SQSRecord,
  { reason, attempts, failedAtMs }: Failure,
): Promise<void> {
  const dedupe = record.messageAttributes[DEDUPE]?.stringValue;
  await sqs().send(
    new SendMessageCommand({
      QueueUrl: await queueUrl(deadLetterName(service, queue)),
      MessageBody: record.body,
      MessageAttributes: {
        reason: text(plain(maskText(reason)) || 'No reason was given.'),
        attempts: number(attempts),
        failedAt: text(new Date(failedAtMs).toISOString()),
        originalId: text(record.messageId),
        ...(dedupe ? { [DEDUPE]: text(dedupe) } : {}),
      },
    }),
  );
}

// A reason quotes errors of any origin; a character that SQS refuses would keep the message from being buried.
const plain = (reason: string): string => reason.replace(/[^\t\n\r\x20-\uD7FF\uE000-\uFFFD]/g, '\uFFFD');
