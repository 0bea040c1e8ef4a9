// Bucket notifications as S3 sends them to SQS. The message is committed together with the object: there is never one
// without the other.
import type { Database } from '../database.ts';
import type { Request } from '../request.ts';
import type { Bucket, StoredObject } from './catalog.ts';
import { internalError } from './errors.ts';
import { type BucketNotification, encodeKey, matches, readNotifications } from './notification-rules.ts';

/** Puts a message in a queue by its ARN, inside the commit that is under way. Throws where there is no such queue. */
export type Enqueue = (queueArn: string, body: string) => void;

export type Write = { readonly key: string; readonly event: BucketNotification['event'] };

/** Sends the message of a write, if there is to be one. Called before the write: one that throws writes nothing. */
export type Notify = (bucket: Bucket, write: Write, object: Pick<StoredObject, 'size' | 'etag'>) => void;

export const createNotify =
  (database: Database, enqueue: Enqueue, now: () => number): Notify =>
  ({ name, notifications }, write, object) => {
    // Filters do not overlap, so there is one at most.
    const notification = notifications.find((one) => matches(one, write.event, write.key));
    if (!notification) return;
    const sequence = Number(database.get('SELECT sequence FROM object_state')?.sequence) + 1;
    const record = {
      eventVersion: '2.1',
      eventSource: 'aws:s3',
      awsRegion: notification.queueArn.split(':')[3] ?? '',
      eventTime: new Date(now()).toISOString(),
      eventName: write.event.replace('s3:', ''),
      s3: {
        s3SchemaVersion: '1.0',
        bucket: { name, arn: `arn:aws:s3:::${name}` },
        object: {
          key: encodeKey(write.key),
          size: object.size,
          eTag: object.etag.replaceAll('"', ''),
          sequencer: sequence.toString(16).toUpperCase().padStart(18, '0'),
        },
      },
    };
    try {
      enqueue(notification.queueArn, JSON.stringify({ Records: [record] }));
    } catch (error) {
      if ((error as { code?: string }).code === 'ERR_SQLITE_ERROR') throw error;
      throw internalError(`The queue was not notified: ${(error as Error).message}`);
    }
    database.run('UPDATE object_state SET sequence = ?', sequence);
  };

type QueueConfiguration = {
  readonly QueueArn?: string;
  readonly Events?: readonly string[];
  readonly Filter?: { readonly Key?: { readonly FilterRules?: readonly object[] } };
};

/** The notifications of PutBucketNotificationConfiguration. Whether a queue is there shows at the first write. */
export function notificationsOf(configuration: Request): BucketNotification[] {
  const { QueueConfigurations = [], ...others } = configuration as {
    QueueConfigurations?: readonly QueueConfiguration[];
  };
  // CloudFormation names these differently.
  const declared = QueueConfigurations.flatMap(({ QueueArn, Events = [], Filter, ...rest }) =>
    Events.map((Event) => ({
      ...without(rest, 'Id'),
      Event,
      Queue: QueueArn,
      ...(Filter && { Filter: { S3Key: { Rules: Filter.Key?.FilterRules ?? [] } } }),
    })),
  );
  const known = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== undefined));
  return readNotifications(
    { NotificationConfiguration: { QueueConfigurations: declared, ...known } },
    (arn) => {
      if (!/^arn:aws:sqs:[^:]*:\d+:[^:]+$/.test(String(arn)))
        throw new Error(`${arn} is not the ARN of a queue`);
      if (String(arn).endsWith('.fifo')) throw new Error('S3 sends to no FIFO queue');
      return String(arn);
    },
  );
}

const without = (given: object, name: string): object =>
  Object.fromEntries(Object.entries(given).filter(([each]) => each !== name));
