import type { MessageAttributeValue, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { OutboxRecord } from '../store/due/message.ts';

/** A message in the form that SQS takes. */
export type Envelope = Pick<
  SendMessageBatchRequestEntry,
  'MessageBody' | 'MessageAttributes' | 'DelaySeconds'
> & {
  readonly bytes: number;
};

// The message attribute with the sender's name for a message; see `dedupe` in send.ts.
export const DEDUPE = 'dedupe';

// The message attribute that names the outbox record, which the consumer deletes when the work is done.
const OUTBOX = 'outbox';
const TOKEN_CHARS = 36; // of a UUID

const outboxText = ({ id, token }: OutboxRecord): string => `${token}${id}`;

/** The outbox record of a received message, if it has one. */
export function outboxRecordOf({ messageAttributes }: SQSRecord): OutboxRecord | undefined {
  const value = messageAttributes[OUTBOX]?.stringValue;
  return value ? { token: value.slice(0, TOKEN_CHARS), id: value.slice(TOKEN_CHARS) } : undefined;
}

type EnvelopeOptions = {
  readonly dedupe?: string | undefined;
  readonly record?: OutboxRecord | undefined;
};

/** A JSON body ready to be sent. `bytes` is the size that SQS counts: body and attributes. */
export function envelope(
  body: unknown,
  { dedupe, record }: EnvelopeOptions = {},
  delaySeconds = 0,
): Envelope {
  const json = JSON.stringify(body);
  if (json === undefined) throw new TypeError(`A message must be a JSON value; ${typeof body} is not one.`);
  const MessageBody = escapeForSqs(json);
  const labels = [
    ...(dedupe === undefined ? [] : [[DEDUPE, dedupe] as const]),
    ...(record === undefined ? [] : [[OUTBOX, outboxText(record)] as const]),
  ];
  const attributes = Object.fromEntries(labels.map(([name, value]) => [name, text(value)]));
  const labelBytes = labels.map(([name, value]) => Buffer.byteLength(`${name}String${value}`));
  return {
    MessageBody,
    DelaySeconds: Math.max(0, Math.ceil(delaySeconds)),
    ...(labels.length > 0 && { MessageAttributes: attributes }),
    bytes: labelBytes.reduce((sum, bytes) => sum + bytes, Buffer.byteLength(MessageBody)),
  };
}

export const text = (value: string): MessageAttributeValue => ({ DataType: 'String', StringValue: value });
export const number = (value: number): MessageAttributeValue => ({
  DataType: 'Number',
  StringValue: String(value),
});

// SQS takes the characters of XML 1.0 only, and some emulators none past U+FFFF. Escaped, all arrive unchanged.
const escapeForSqs = (json: string): string =>
  json.replace(/[\uD800-\uDFFF\uFFFE\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
