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
