import type { MessageAttributeValue, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';
import type { SQSRecord } from 'aws-lambda';
import type { ServiceName } from '../settings/names.ts';
import type { OutboxRecord } from '../store/due/message.ts';
import { currentTrace, startTrace, type Trace, traceHeaders } from '../trace/trace.ts';

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

// Message attributes by the names of the headers that they are in a call.
const CORRELATION_ID = 'x-correlation-id';
const TRACEPARENT = 'traceparent';

/** The trace of a received message: that of its sender, or one that begins. */
export const traceOf = (service: ServiceName, { messageAttributes }: SQSRecord): Trace =>
  startTrace({
    service,
    correlationId: messageAttributes[CORRELATION_ID]?.stringValue,
    traceparent: messageAttributes[TRACEPARENT]?.stringValue,
  });

/** The attributes that carry a trace. */
export const traceAttributes = (trace = currentTrace()): Record<string, MessageAttributeValue> =>
  trace
    ? Object.fromEntries(Object.entries(traceHeaders(trace)).map(([name, value]) => [name, text(value)]))
    : {};

type EnvelopeOptions = {
  /** That of the work that sends the message, unless it is the message of a record. */
  readonly trace?: Trace | undefined;
  readonly dedupe?: string | undefined;
  readonly record?: OutboxRecord | undefined;
};

/** A JSON body ready to be sent. `bytes` is the size that SQS counts: body and attributes. */
export function envelope(
  body: unknown,
  { dedupe, record, trace = currentTrace() }: EnvelopeOptions = {},
  delaySeconds = 0,
): Envelope {
  const json = JSON.stringify(body);
  if (json === undefined) throw new TypeError(`A message must be a JSON value; ${typeof body} is not one.`);
  const MessageBody = escapeForSqs(json);
  const labels = [
    ...(dedupe === undefined ? [] : [[DEDUPE, dedupe] as const]),
    ...(record === undefined ? [] : [[OUTBOX, outboxText(record)] as const]),
    ...(trace === undefined ? [] : Object.entries(traceHeaders(trace))),
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
