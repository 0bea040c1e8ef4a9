import type { Message, MessageAttributeValue } from '@aws-sdk/client-sqs';
import type { SQSMessageAttributes, SQSRecord, SQSRecordAttributes } from 'aws-lambda';

const NO_ATTRIBUTES: SQSRecordAttributes = {
  ApproximateReceiveCount: '1',
  SentTimestamp: '0',
  SenderId: '',
  ApproximateFirstReceiveTimestamp: '0',
};

/** A received message as Lambda hands it to a function. */
export function toRecord(message: Message, queueArn: string): SQSRecord {
  return {
    messageId: message.MessageId ?? '',
    receiptHandle: message.ReceiptHandle ?? '',
    body: message.Body ?? '',
    attributes: { ...NO_ATTRIBUTES, ...message.Attributes },
    messageAttributes: toAttributes(message.MessageAttributes ?? {}),
    md5OfBody: message.MD5OfBody ?? '',
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: queueArn.split(':')[3] ?? '',
  };
}

function toAttributes(attributes: Record<string, MessageAttributeValue>): SQSMessageAttributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      {
        dataType: value.DataType ?? 'String',
        ...(value.StringValue !== undefined && { stringValue: value.StringValue }),
        ...(value.BinaryValue !== undefined && {
          binaryValue: Buffer.from(value.BinaryValue).toString('base64'),
        }),
        stringListValues: [],
        binaryListValues: [],
      },
    ]),
  );
}

/**
 * The messages of a batch that stay in the queue, by AWS's rules for a function's answer: no report means that all
 * succeeded; a malformed report, or one that names a message of another batch, means that all failed.
 * @example failedIds({ batchItemFailures: [{ itemIdentifier: 'b' }] }, ['a', 'b']) // Set { 'b' }
 */
export function failedIds(answer: unknown, batchIds: readonly string[]): ReadonlySet<string> {
  const everything = new Set(batchIds);
  if (answer === null || answer === undefined) return new Set();
  if (typeof answer !== 'object') return everything;
  const reported = 'batchItemFailures' in answer ? answer.batchItemFailures : null;
  if (reported === null || reported === undefined) return new Set();
  if (!Array.isArray(reported)) return everything;
  const ids = reported.map(itemIdentifier);
  return ids.every((id) => id !== undefined && everything.has(id)) ? new Set(ids as string[]) : everything;
}

function itemIdentifier(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('itemIdentifier' in item)) return undefined;
  return typeof item.itemIdentifier === 'string' ? item.itemIdentifier : undefined;
}
