import type { MessageAttributeValue, SendMessageBatchRequestEntry } from '@aws-sdk/client-sqs';

/** What SQS carries of a message. */
export type Envelope = Pick<
  SendMessageBatchRequestEntry,
  'MessageBody' | 'MessageAttributes' | 'DelaySeconds'
> & {
  readonly bytes: number;
};

// The message attribute that names what a message asks for; see `dedupe` in send.ts.
export const DEDUPE = 'dedupe';

/** A JSON body ready to be sent. `bytes` is what SQS counts: the body and the attributes. */
export function envelope(body: unknown, dedupe?: string, delaySeconds = 0): Envelope {
  const json = JSON.stringify(body);
  if (json === undefined) throw new TypeError(`A message must be a JSON value; ${typeof body} is none.`);
  const MessageBody = escaped(json);
  const name = dedupe === undefined ? '' : `${DEDUPE}String${dedupe}`;
  return {
    MessageBody,
    DelaySeconds: Math.max(0, Math.ceil(delaySeconds)),
    ...(dedupe === undefined ? {} : { MessageAttributes: { [DEDUPE]: text(dedupe) } }),
    bytes: Buffer.byteLength(MessageBody) + Buffer.byteLength(name),
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
