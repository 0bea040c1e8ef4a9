import { randomUUID } from 'node:crypto';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageCommand,
  type Message,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import type { SQSBatchResponse, SQSEvent, SQSMessageAttribute } from 'aws-lambda';
import { hasProvidedStores } from '../../../shared/embedded/provided.ts';
import { sqs } from '../../../shared/queue/client.ts';
import { deadLetterName, queueName } from '../../../shared/settings/names.ts';

export const SERVICE = 'sandbox';

type Received = { readonly body: string; readonly attributes: Readonly<Record<string, string | undefined>> };

/** A queue of a test's own with its dead-letter queue, and the host that brings its messages to a function. */
export type TestQueue = {
  readonly name: string;
  /** One round by the host's rules: what the function does not report as failed is deleted, the rest is visible again. */
  readonly deliver: (
    handler: (event: SQSEvent) => Promise<SQSBatchResponse>,
  ) => Promise<{ delivered: number; failed: number }>;
  readonly messages: () => Promise<Received[]>;
  readonly deadLetters: () => Promise<Received[]>;
};

export async function aQueue(name = `test-${randomUUID().slice(0, 8)}`): Promise<TestQueue> {
  const QueueUrl = await make(queueName(SERVICE, name));
  const deadLetterUrl = await make(deadLetterName(SERVICE, name));
  return {
    name,
    async deliver(handler) {
      const received = await receive(QueueUrl);
      if (received.length === 0) return { delivered: 0, failed: 0 };
      const { batchItemFailures } = await handler({ Records: received.map(asRecord) });
      const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
      for (const { MessageId = '', ReceiptHandle } of received) {
        await (failed.has(MessageId)
          ? sqs().send(new ChangeMessageVisibilityCommand({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }))
          : sqs().send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })));
      }
      return { delivered: received.length, failed: failed.size };
    },
    messages: () => drain(QueueUrl),
    deadLetters: () => drain(deadLetterUrl),
  };
}

async function make(QueueName: string): Promise<string> {
  const { QueueUrl } = await sqs().send(new CreateQueueCommand({ QueueName }));
  return QueueUrl ?? '';
}

// SQS itself looks at a part of its servers unless it may wait. The embedded queues have one place to look at.
const waitSeconds = (): number => (hasProvidedStores() ? 0 : 2);

async function receive(QueueUrl: string): Promise<Message[]> {
  const { Messages = [] } = await sqs().send(
    new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: 10,
      WaitTimeSeconds: waitSeconds(),
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    }),
  );
  return Messages;
}

/** Everything that can be received now. A received message stays invisible, so each is seen once. */
async function drain(QueueUrl: string): Promise<Received[]> {
  const all: Received[] = [];
  for (let some = await receive(QueueUrl); some.length > 0; some = await receive(QueueUrl)) {
    for (const { Body = '', MessageAttributes = {} } of some) {
      const attributes = Object.entries(MessageAttributes).map(([key, { StringValue }]) => [
        key,
        StringValue,
      ]);
      all.push({ body: Body, attributes: Object.fromEntries(attributes) });
    }
  }
  return all;
}

/** A message as Lambda hands it over. */
function asRecord(message: Message): SQSEvent['Records'][number] {
  const attributes = Object.entries(message.MessageAttributes ?? {}).map(
    ([key, { StringValue, DataType }]): [string, SQSMessageAttribute] => [
      key,
      { stringValue: StringValue ?? '', dataType: DataType as 'String' | 'Number' },
    ],
  );
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '0',
      SenderId: '',
      ApproximateFirstReceiveTimestamp: '0',
      ...message.Attributes,
    },
    messageAttributes: Object.fromEntries(attributes),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: '',
    awsRegion: '',
  };
}
