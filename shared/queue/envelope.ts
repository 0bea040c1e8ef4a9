import type { MessageAttributeValue, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { OutboxRecord } from '../store/due/message.ts';

/** What SQS carries of a message. */
export type Envelope = Pick<
  SendMessageBatchRequestEntry,
  'MessageBody' | 'MessageAttributes' | 'DelaySeconds'
> & {
  readonly bytes: number;
};

// The message attribute that names what a message asks for; see `dedupe` in send.ts.
export const DEDUPE = 'dedupe';

// The message attribute that names the outbox record which the consumer deletes when the work is done.
const OUTBOX = 'outbox';
const TOKEN_CHARS = 36; // of a UUID

const outboxText = ({ id, token }: OutboxRecord): string => `${token}${id}`;

/** The outbox record that a received message came from; nothing where it came from none. */
export function outboxRecordOf({ messageAttributes }: SQSRecord): OutboxRecord | undefined {
  const value = messageAttributes[OUTBOX]?.stringValue;
  return value ? { token: value.slice(0, TOKEN_CHARS), id: value.slice(TOKEN_CHARS) } : undefined;
}

type Label = { readonly dedupe?: string | undefined; readonly record?: OutboxRecord | undefined };

/** A JSON body ready to be sent. `bytes` is what SQS counts: the body and the attributes. */
export function envelope(body: unknown, { dedupe, record }: Label = {}, delaySeconds = 0): Envelope {
  const json = JSON.stringify(body);
  if (json === undefined) throw new TypeError(`A message must be a JSON value; ${typeof body} is none.`);
  const MessageBody = escaped(json);
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

// SQS takes the characters that XML 1.0 has, and some emulators none past U+FFFF. Escaped, all arrive as they were.
const escaped = (json: string): string =>
  json.replace(/[\uD800-\uDFFF\uFFFE\uFFFF]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
