// Bucket notifications as S3 sends them to SQS. fauxqs accepts their configuration and sends none.
//
//   PUT  |--object stored--|--message stored--|--answer
//
// Both are stored in one turn of the event loop, so no other request comes between. An engine that is killed between
// the two has an object without a message, and its writer no answer: the writer tries again, or the object is
// found: by a scan of its folder, or by the look for files that came by links. S3 itself delivers at least once, and at times late.

import {
  type BucketNotification,
  encodeKey,
  matches,
  readNotifications,
} from '../../../../shared/embedded/objects/notification-rules.ts';
import { explain } from '../../resources/explain.ts';
import { type FindObject, type S3Answer, type S3Request, type StoredObject, s3Error } from './request.ts';

/** The part of fauxqs that has the queues. */
type Queues = {
  inspectQueue(name: string): { arn: string } | undefined;
  sendMessage(name: string, body: string, options: { region: string }): unknown;
};
type Write = { readonly bucket: string; readonly key: string; readonly event: BucketNotification['event'] };

/** The object that a successful request has created, or undefined. Parts of an upload are no objects yet. */
function createdBy({ method, headers, params, query, body }: S3Request): Write | undefined {
  const { bucket, '*': key } = params;
  if (!bucket) return undefined;
  if (method === 'PUT' && key) {
    if (query.partNumber || 'renameObject' in query) return undefined;
    const isCopy = headers['x-amz-copy-source'] !== undefined;
    return { bucket, key, event: isCopy ? 's3:ObjectCreated:Copy' : 's3:ObjectCreated:Put' };
  }
  if (method !== 'POST') return undefined;
  if (key) return query.uploadId ? { bucket, key, event: COMPLETED } : undefined;
  const isForm = headers['content-type']?.toLowerCase().includes('multipart/form-data');
  return isForm ? { bucket, key: keyOfForm(body), event: 's3:ObjectCreated:Post' } : undefined;
}

const COMPLETED = 's3:ObjectCreated:CompleteMultipartUpload';
/** S3's own limit of the fields before the file. */
const MAX_FIELDS_BYTES = 20_480;

/** The key of a form upload, which is a field of the form. */
function keyOfForm(body: unknown): string {
  const fields = (body as Buffer).subarray(0, MAX_FIELDS_BYTES).toString();
  const [, key] = /name="key"[^\r]*\r\n(?:[^\r]+\r\n)*\r\n([\s\S]*?)\r\n--/.exec(fields) ?? [];
  if (key === undefined) throw new Error('The form has no key in its first 20 KB.');
  const [, path = ''] = /name="file"; filename="([^"]*)"/.exec(fields) ?? [];
  return key.replaceAll(`\${filename}`, path.slice(path.search(/[^/\\]*$/)));
}

/** The notifications of the buckets of one emulator. `queues` is called once the emulator has started. */
export function bucketNotifications(queues: () => Queues) {
  const ofBucket = new Map<string, BucketNotification[]>();
  let lastSequence = 0n;

  const findQueue = (arn: unknown): string => {
    const found = queues().inspectQueue(partsOf(String(arn)).name);
    if (!found) throw new Error(`${arn} is not there`);
    return found.arn;
  };

  /** Answers PutBucketNotificationConfiguration: it takes the place of what was there. No other request has an answer. */
  const configure = ({ method, params, query, body }: S3Request): S3Answer | undefined => {
    const { bucket, '*': key } = params;
    if (method !== 'PUT' || !bucket || key || !('notification' in query)) return undefined;
    try {
      ofBucket.set(bucket, readNotifications(fromXml(String(body)), findQueue));
      return { status: 200, body: '' };
    } catch (error) {
      return s3Error(400, 'InvalidArgument', explain(error));
    }
  };

  /** Sends the message of a request that succeeded, if there is to be one. Throws if it cannot be stored. */
  const notify = (request: S3Request, find: FindObject): void => {
    const notifications = ofBucket.get(request.params.bucket ?? '');
    const write = notifications && createdBy(request);
    // Filters do not overlap, so there is one at most.
    const notification = write && notifications.find((one) => matches(one, write.event, write.key));
    if (!notification) return;
    const object = find(write.bucket, write.key);
    if (!object) throw new Error(`${write.key} cannot be found again.`);
    const { region, name } = partsOf(notification.queueArn);
    const record = recordOf(write, object, { region, sequence: nextSequence() });
    queues().sendMessage(name, JSON.stringify({ Records: [record] }), { region });
  };

  // Grows with every write, and over a restart as the clock does.
  const nextSequence = (): bigint => {
    const now = BigInt(Date.now()) << 16n;
    lastSequence = now > lastSequence ? now : lastSequence + 1n;
    return lastSequence;
  };

  return { configure, notify };
}

function partsOf(arn: string): { region: string; name: string } {
  const [, , , region = '', , name = ''] = arn.split(':');
  return { region, name };
}

function recordOf(
  { bucket, key, event }: Write,
  { size, etag }: StoredObject,
  { region, sequence }: { region: string; sequence: bigint },
) {
  return {
    eventVersion: '2.1',
    eventSource: 'aws:s3',
    awsRegion: region,
    eventTime: new Date().toISOString(),
    eventName: event.replace('s3:', ''),
    s3: {
      s3SchemaVersion: '1.0',
      bucket: { name: bucket, arn: `arn:aws:s3:::${bucket}` },
      object: {
        key: encodeKey(key),
        size,
        eTag: etag.replaceAll('"', ''),
        sequencer: sequence.toString(16).toUpperCase().padStart(18, '0'),
      },
    },
  };
}

/** The configuration in CloudFormation's words. Entities need no decoding: what may be in a value has none. */
function fromXml(xml: string): unknown {
  const all = (name: string, within: string) =>
    [...within.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, inner = '']) => inner);
  const other = /<(Topic|CloudFunction|EventBridge)Configuration\b/.exec(xml)?.[1];
  const QueueConfigurations = all('QueueConfiguration', xml).flatMap((one) => {
    const Rules = all('FilterRule', one).map((rule) => ({
      Name: all('Name', rule)[0],
      Value: all('Value', rule)[0] ?? '',
    }));
    return all('Event', one).map((Event) => ({
      Event,
      Queue: all('Queue', one)[0],
      Filter: { S3Key: { Rules } },
    }));
  });
  return {
    NotificationConfiguration: { QueueConfigurations, ...(other && { [`${other}Configuration`]: true }) },
  };
}
