import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { onTestFinished } from 'vitest';
import { answeredHere, provideStores } from '../../../../shared/embedded/provided.ts';
import { openStores } from '../../../../shared/embedded/stores.ts';

const START_MS = Date.parse('2026-03-01T12:00:00Z');

/** The queues of a folder, or in memory, behind a client of the SDK, with a clock that a test moves. */
export function openQueues(folder?: string) {
  let nowMs = START_MS;
  const stores = openStores({ folder, now: () => nowMs });
  const before = provideStores({ queues: stores.queues });
  onTestFinished(() => {
    provideStores(before);
    stores.close();
  });
  // Nobody listens there: whatever the stores do not answer fails.
  const sqs = answeredHere('queues', new SQSClient({ endpoint: 'http://127.0.0.1:9', maxAttempts: 1 }));

  return {
    stores,
    sqs,
    nowMs: () => nowMs,
    pass: (seconds: number): void => {
      nowMs += seconds * 1_000;
    },
    create: async (QueueName: string, Attributes: Record<string, string> = {}): Promise<string> =>
      (await sqs.send(new CreateQueueCommand({ QueueName, Attributes }))).QueueUrl ?? '',
    send: (QueueUrl: string, MessageBody: string, more: Partial<SendMessageCommandInput> = {}) =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, ...more })),
    receive: async (QueueUrl: string, more: Partial<ReceiveMessageCommandInput> = {}) =>
      (
        await sqs.send(
          new ReceiveMessageCommand({
            QueueUrl,
            MaxNumberOfMessages: 10,
            MessageSystemAttributeNames: ['All'],
            MessageAttributeNames: ['All'],
            ...more,
          }),
        )
      ).Messages ?? [],
    remove: (QueueUrl: string, ReceiptHandle: string | undefined) =>
      sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })),
    async counts(QueueUrl: string) {
      const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] });
      const { Attributes = {} } = await sqs.send(asked);
      return {
        waiting: Number(Attributes.ApproximateNumberOfMessages),
        inWork: Number(Attributes.ApproximateNumberOfMessagesNotVisible),
        delayed: Number(Attributes.ApproximateNumberOfMessagesDelayed),
      };
    },
  };
}

export const arnOf = (name: string): string => `arn:aws:sqs:us-east-1:000000000000:${name}`;

export const redriveTo = (name: string, maxReceiveCount: number): Record<string, string> => ({
  RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf(name), maxReceiveCount }),
});
