import { createHash } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  type Event,
  GetObjectCommand,
  HeadObjectCommand,
  PutBucketNotificationConfigurationCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Configuration, newFolder, openObjects, QUEUE } from './opened.ts';

let store: ReturnType<typeof openObjects>;
beforeAll(() => {
  store = openObjects({ now: () => Date.parse('2026-11-17T12:00:00Z') });
});
afterAll(() => store.close());

const md5 = (bytes: string | Buffer) => createHash('md5').update(bytes).digest('hex');

/** A new bucket that notifies the queue. */
async function notifyingBucket(options: Configuration = {}) {
  const Bucket = await store.createBucket();
  await store.configure(Bucket, [options]);
  store.receive();
  const put = (Key: string, Body = 'text') => store.s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  const copy = (from: string, Key: string) =>
    store.s3.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${from}` }));
  const keys = () => store.receive().map(({ s3 }) => s3.object.key);
  return { Bucket, put, copy, keys };
}

async function uploadInParts(Bucket: string, Key: string, parts: readonly Buffer[]) {
  const { UploadId } = await store.s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const Parts = await Promise.all(
    parts.map(async (Body, index) => {
      const PartNumber = index + 1;
      const part = new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body });
      return { PartNumber, ETag: (await store.s3.send(part)).ETag };
    }),
  );
  return () =>
    store.s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
}

describe('a write is in the queue when it is answered', () => {
  test('a put, with size and entity tag', async () => {
    const { Bucket, put } = await notifyingBucket();
    await put('input/a.pdf', 'signed');
    expect(store.receive()).toEqual([
      {
        eventVersion: '2.1',
        eventSource: 'aws:s3',
        awsRegion: 'us-east-1',
        eventTime: '2026-11-17T12:00:00.000Z',
        eventName: 'ObjectCreated:Put',
        s3: {
          s3SchemaVersion: '1.0',
          bucket: { name: Bucket, arn: `arn:aws:s3:::${Bucket}` },
          object: {
            key: 'input/a.pdf',
            size: 6,
            eTag: md5('signed'),
            sequencer: expect.stringMatching(/^[0-9A-F]{18}$/),
          },
        },
      },
    ]);
  });

  test('a copy, at its target', async () => {
    const { put, copy } = await notifyingBucket({ prefix: 'input/' });
    await put('drafts/a.pdf', 'signed');
    await copy('drafts/a.pdf', 'input/b.pdf');
    expect(store.receive()).toMatchObject([
      {
        eventName: 'ObjectCreated:Copy',
        s3: { object: { key: 'input/b.pdf', size: 6, eTag: md5('signed') } },
      },
    ]);
  });

  test('an upload in parts when it is complete, with the size of all parts and not before', async () => {
    const { Bucket } = await notifyingBucket();
    const parts = [Buffer.alloc(5 * 1024 * 1024, 1), Buffer.alloc(1_000, 2)];
    const complete = await uploadInParts(Bucket, 'input/large.pdf', parts);
    expect(store.receive()).toEqual([]);
    const { ETag = '' } = await complete();
    expect(store.receive()).toMatchObject([
      {
        eventName: 'ObjectCreated:CompleteMultipartUpload',
        s3: {
          object: { key: 'input/large.pdf', size: 5 * 1024 * 1024 + 1_000, eTag: ETag.replaceAll('"', '') },
        },
      },
    ]);
  });

  test('writes to one key at once, each with its own size and tag, in the order of their sequencers', async () => {
    const { Bucket, put } = await notifyingBucket();
    const contents = Array.from({ length: 20 }, (_, index) => 'x'.repeat(index + 1));
    await Promise.all(contents.map((content) => put('input/same', content)));
    const records = store.receive();
    expect(new Set(records.map(({ s3 }) => s3.object.eTag))).toEqual(new Set(contents.map(md5)));
    for (const { s3 } of records) expect(s3.object.eTag).toBe(md5('x'.repeat(s3.object.size)));
    const sequencers = records.map(({ s3 }) => s3.object.sequencer);
    expect(sequencers).toEqual([...new Set(sequencers)].toSorted());
    const { ETag } = await store.s3.send(new HeadObjectCommand({ Bucket, Key: 'input/same' }));
    expect(ETag).toBe(`"${records.at(-1)?.s3.object.eTag}"`);
  });
});

test.each([
  ['input/red flower.pdf', 'input/red+flower.pdf'],
  ['input/a+b.pdf', 'input/a%2Bb.pdf'],
  ['input/100%25.pdf', 'input/100%2525.pdf'],
  ['input/ação.pdf', 'input/a%C3%A7%C3%A3o.pdf'],
  ['input/😀.pdf', 'input/%F0%9F%98%80.pdf'],
  ['input/a&b=c?d#e.pdf', 'input/a%26b%3Dc%3Fd%23e.pdf'],
  ['input/a-b_c.d*e/', 'input/a-b_c.d*e/'],
])('the key %s is %s in the message', async (key, encoded) => {
  const { put, keys } = await notifyingBucket({ prefix: 'input/' });
  await put(key);
  expect(keys()).toEqual([encoded]);
});

describe('filters', () => {
  test('only keys with the prefix and the suffix are notified, in their own case', async () => {
    const { put, keys } = await notifyingBucket({ prefix: 'input/', suffix: '.pdf' });
    for (const key of ['input/a.pdf', 'input/a.PDF', 'Input/a.pdf', 'output/input/a.pdf', 'input/.pdf/b'])
      await put(key);
    expect(keys()).toEqual(['input/a.pdf']);
  });

  test.each<[Event, string[]]>([
    ['s3:ObjectCreated:*', ['put', 'copy', 'parts']],
    ['s3:ObjectCreated:Put', ['put']],
    ['s3:ObjectCreated:Copy', ['copy']],
    ['s3:ObjectCreated:CompleteMultipartUpload', ['parts']],
    ['s3:ObjectCreated:Post', []],
  ])('%s is sent for: %s', async (event, expected) => {
    const { Bucket, put, copy, keys } = await notifyingBucket({ event });
    await put('put');
    await copy('put', 'copy');
    await (await uploadInParts(Bucket, 'parts', [Buffer.from('only')]))();
    expect(keys()).toEqual(expected);
  });

  test('each of several configurations has its own queue', async () => {
    const Bucket = await store.createBucket();
    const other = QUEUE.replace('arrivals', 'others');
    await store.configure(Bucket, [{ prefix: 'a/' }, { arn: other, prefix: 'b/' }]);
    for (const Key of ['a/1', 'b/1', 'c/1'])
      await store.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'text' }));
    const keysOf = (queue: string) => store.receive(queue).map(({ s3 }) => s3.object.key);
    expect([keysOf(QUEUE), keysOf(other)]).toEqual([['a/1'], ['b/1']]);
  });

  test('a new configuration takes the place of the one before, and an empty one ends it', async () => {
    const { Bucket, put, keys } = await notifyingBucket({ prefix: 'a/' });
    await store.configure(Bucket, [{ prefix: 'b/' }]);
    await put('a/1');
    await put('b/1');
    expect(keys()).toEqual(['b/1']);
    await store.configure(Bucket, []);
    await put('b/2');
    expect(keys()).toEqual([]);
  });
});

describe('nothing is sent', () => {
  test('for reads and deletions', async () => {
    const { Bucket, put, keys } = await notifyingBucket();
    await put('input/a');
    expect(keys()).toEqual(['input/a']);
    const object = { Bucket, Key: 'input/a' };
    await store.s3.send(new HeadObjectCommand(object));
    await store.s3.send(new GetObjectCommand(object));
    await store.s3.send(new DeleteObjectCommand(object));
    expect(keys()).toEqual([]);
  });

  test('for writes that fail', async () => {
    const { Bucket, put, copy, keys } = await notifyingBucket();
    await put('input/a');
    keys();
    const again = new PutObjectCommand({ Bucket, Key: 'input/a', Body: 'other', IfNoneMatch: '*' });
    await expect(store.s3.send(again)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(copy('input/nothing', 'input/b')).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(keys()).toEqual([]);
  });
});

test('a write whose message cannot be stored fails, and the object is as it was', async () => {
  const { Bucket, put } = await notifyingBucket();
  await put('input/a', 'old');
  await store.configure(Bucket, [{ arn: QUEUE.replace('arrivals', 'missing') }]);
  await expect(put('input/a', 'new')).rejects.toMatchObject({
    name: 'InternalError',
    message: expect.stringContaining('The queue was not notified'),
    $metadata: { httpStatusCode: 500 },
  });
  const { ETag } = await store.s3.send(new HeadObjectCommand({ Bucket, Key: 'input/a' }));
  expect(ETag).toBe(`"${md5('old')}"`);
});

test('another process knows the configuration, and sequencers go on', async () => {
  const folder = newFolder();
  const first = openObjects({ folder });
  const Bucket = await first.createBucket();
  await first.configure(Bucket, [{}]);
  await first.s3.send(new PutObjectCommand({ Bucket, Key: 'a', Body: 'text' }));
  first.close();
  const second = openObjects({ folder });
  onTestFinished(second.close);
  await second.s3.send(new PutObjectCommand({ Bucket, Key: 'b', Body: 'text' }));
  const objects = second.receive().map(({ s3 }) => s3.object);
  expect(objects.map(({ key }) => key)).toEqual(['a', 'b']);
  expect(String(objects[1]?.sequencer) > String(objects[0]?.sequencer)).toBe(true);
});

test('a configuration that would not be honored is refused, and the one before stays', async () => {
  const { Bucket, put, keys } = await notifyingBucket({ prefix: 'a/' });
  const refused = async (NotificationConfiguration: object, message: string) =>
    expect(
      store.s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration })),
    ).rejects.toMatchObject({ name: 'InvalidArgument', message: expect.stringContaining(message) });
  const Events = ['s3:ObjectCreated:*'];
  await refused({ QueueConfigurations: [{ QueueArn: `${QUEUE}.fifo`, Events }] }, 'no FIFO queue');
  await refused({ QueueConfigurations: [{ QueueArn: 'arrivals', Events }] }, 'is not the ARN of a queue');
  await refused(
    { QueueConfigurations: [{ QueueArn: QUEUE, Events: ['s3:ObjectRemoved:*'] }] },
    's3:ObjectRemoved:* is not emitted here',
  );
  await refused(
    {
      QueueConfigurations: [
        { QueueArn: QUEUE, Events },
        { QueueArn: QUEUE, Events },
      ],
    },
    'filters that overlap',
  );
  await refused(
    { TopicConfigurations: [{ TopicArn: 'arn:aws:sns:us-east-1:000000000000:t', Events }] },
    'does not honor TopicConfigurations',
  );
  await refused({ EventBridgeConfiguration: {} }, 'does not honor EventBridgeConfiguration');
  await put('a/1');
  expect(keys()).toEqual(['a/1']);
});
