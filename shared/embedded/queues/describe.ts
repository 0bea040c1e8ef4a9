// Messages and queues as the answers of SQS describe them.
import type { Row } from '../database.ts';
import { StoreError } from '../errors.ts';
import { md5OfAttributes, md5OfBody, pickAttributes } from './content.ts';
import { type Counts, handleOf } from './messages.ts';
import type { Queue } from './queues.ts';
import { invalid, optionalNames, type Request } from './request.ts';

const SYSTEM_ATTRIBUTES: Readonly<Record<string, (row: Row) => unknown>> = {
  ApproximateReceiveCount: ({ receives }) => receives,
  ApproximateFirstReceiveTimestamp: ({ received }) => received,
  SentTimestamp: ({ sent }) => sent,
  SenderId: () => process.env.AWS_ACCOUNT_ID ?? '000000000000',
  DeadLetterQueueSourceArn: ({ source }) => source,
};
// Those of FIFO queues and of tracing, which no message here has.
const NEVER_THERE = ['AWSTraceHeader', 'MessageDeduplicationId', 'MessageGroupId', 'SequenceNumber'];

/** Gives messages as a receive asks for them. */
export function messageDescriber(request: Request): (row: Row) => object {
  const asked = ['AttributeNames', 'MessageSystemAttributeNames'].flatMap((name) =>
    optionalNames(request, name),
  );
  const names = asked.includes('All') ? Object.keys(SYSTEM_ATTRIBUTES) : asked;
  for (const name of names)
    if (!SYSTEM_ATTRIBUTES[name] && !NEVER_THERE.includes(name)) throw invalid(`Unknown Attribute ${name}.`);
  const wanted = optionalNames(request, 'MessageAttributeNames');
  return (row) => {
    const system = names.flatMap((name) => {
      const value = SYSTEM_ATTRIBUTES[name]?.(row) ?? null;
      return value === null ? [] : [[name, String(value)]];
    });
    const MessageAttributes =
      wanted.length > 0 && row.attributes !== null
        ? pickAttributes(JSON.parse(String(row.attributes)), wanted)
        : undefined;
    const Body = String(row.body);
    return {
      MessageId: row.message,
      ReceiptHandle: handleOf(row),
      Body,
      MD5OfBody: md5OfBody(Body),
      ...(system.length > 0 && { Attributes: Object.fromEntries(system) }),
      ...(MessageAttributes && {
        MessageAttributes,
        MD5OfMessageAttributes: md5OfAttributes(MessageAttributes),
      }),
    };
  };
}

/** The attributes of a queue that are asked for. */
export function describeQueue(queue: Queue, names: readonly string[], count: () => Counts): object {
  if (names.length === 0) return {};
  const seconds = (ms: number): string => String(Math.floor(ms / 1_000));
  const isCounted = names.some((name) => name === 'All' || name.startsWith('ApproximateNumberOfMessages'));
  const counts = isCounted ? count() : undefined;
  const all: Record<string, string | undefined> = {
    ...queue.attributes,
    RedrivePolicy: queue.attributes.RedrivePolicy,
    QueueArn: queue.arn,
    CreatedTimestamp: seconds(queue.createdMs),
    LastModifiedTimestamp: seconds(queue.modifiedMs),
    ApproximateNumberOfMessages: counts && String(counts.waiting),
    ApproximateNumberOfMessagesNotVisible: counts && String(counts.inWork),
    ApproximateNumberOfMessagesDelayed: counts && String(counts.delayed),
  };
  const unknown = names.find((name) => name !== 'All' && !Object.hasOwn(all, name));
  if (unknown) throw new StoreError('InvalidAttributeName', `Unknown Attribute ${unknown}.`);
  const picked = Object.entries(all).filter(
    ([name, value]) => value !== undefined && (names.includes('All') || names.includes(name)),
  );
  return picked.length > 0 ? { Attributes: Object.fromEntries(picked) } : {};
}
