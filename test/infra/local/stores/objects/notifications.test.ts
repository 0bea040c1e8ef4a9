import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
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
import { DeleteQueueCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Configuration, startS3AndSqs } from './started.ts';

let store: Awaited<ReturnType<typeof startS3AndSqs>>;
beforeAll(async () => {
  store = await startS3AndSqs();
});
afterAll(() => store.stop());

/** A bucket that notifies a queue, both new. */
async function notifyingBucket(options: Omit<Configuration, 'arn'> = {}) {
  const [Bucket, queue] = [await store.createBucket(), await store.createQueue()];
  await store.configure(Bucket, [{ ...options, arn: queue.arn }]);
  const put = (Key: string, Body: string | Buffer = 'text') =>
    store.s3.send(new PutObjectCommand({ Bucket, Key, Body }));
  const copy = (from: string, Key: string) =>
    store.s3.send(new CopyObjectCommand({ Bucket, Key, CopySource: `${Bucket}/${from}` }));
  const keys = async () => (await store.receive(queue.url)).map(({ s3 }) => s3.object.key);
  return { Bucket, queue, put, copy, keys, receive: () => store.receive(queue.url) };
}

const md5 = (bytes: string | Buffer) => createHash('md5').update(bytes).digest('hex');

async function uploadInParts(Bucket: string, Key: string, parts: Buffer[]) {
  const { UploadId } = await store.s3.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const Parts = await Promise.all(
    parts.map(async (Body, index) => {
      const PartNumber = index + 1;
      const { ETag } = await store.s3.send(
        new UploadPartCommand({ Bucket, Key, UploadId, PartNumber, Body }),
      );
      return { PartNumber, ETag };
    }),
  );
  return () =>
    store.s3.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload: { Parts } }));
}

describe('a write is in the queue when it is answered', () => {
  test('a put, with size and entity tag', async () => {
    const { Bucket, put, receive } = await notifyingBucket();
    await put('input/a.pdf', 'signed');
    const [record, ...others] = await receive();
    expect(others).toEqual([]);
    expect(record).toEqual({
      eventVersion: '2.1',
      eventSource: 'aws:s3',
      awsRegion: 'us-east-1',
      eventTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
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
    });
  });

  test('a put of a stream that is sent in chunks, with the size of its content', async () => {
    const { Bucket, receive } = await notifyingBucket();
    const bytes = Buffer.alloc(100_000, 'a');
    const Body = Readable.from([bytes.subarray(0, 1_000), bytes.subarray(1_000)]);
    await store.s3.send(
      new PutObjectCommand({ Bucket, Key: 'a', Body, ContentLength: 100_000, ChecksumAlgorithm: 'SHA256' }),
    );
    expect((await receive()).map(({ s3 }) => s3.object)).toMatchObject([{ size: 100_000, eTag: md5(bytes) }]);
  });

  test('a copy, at its target', async () => {
    const { put, copy, receive } = await notifyingBucket({ prefix: 'input/' });
    await put('drafts/a.pdf', 'signed');
    await copy('drafts/a.pdf', 'input/b.pdf');
    expect(await receive()).toMatchObject([
      {
        eventName: 'ObjectCreated:Copy',
        s3: { object: { key: 'input/b.pdf', size: 6, eTag: md5('signed') } },
      },
    ]);
  });

  test('an upload in parts when it is complete, with the size of all parts and not before', async () => {
    const { Bucket, receive } = await notifyingBucket();
    const parts = [Buffer.alloc(5 * 1024 * 1024, 1), Buffer.alloc(1_000, 2)];
    const complete = await uploadInParts(Bucket, 'input/large.pdf', parts);
    expect(await receive()).toEqual([]);
    const { ETag = '' } = await complete();
    expect(ETag).toMatch(/-2"$/);
    expect(await receive()).toMatchObject([
      {
        eventName: 'ObjectCreated:CompleteMultipartUpload',
        s3: {
          object: { key: 'input/large.pdf', size: 5 * 1024 * 1024 + 1_000, eTag: ETag.replaceAll('"', '') },
        },
      },
    ]);
  });

  test('a form of a browser, by the key in its fields', async () => {
    const { Bucket, receive } = await notifyingBucket();
    const form = new FormData();
    form.set('key', `input/\${filename}`);
    form.set('file', new File(['signed'], 'ação.pdf'));
    const { status } = await fetch(`${store.endpoint}/${Bucket}`, { method: 'POST', body: form });
    expect(status).toBe(204);
    expect(await receive()).toMatchObject([
      { eventName: 'ObjectCreated:Post', s3: { object: { key: 'input/a%C3%A7%C3%A3o.pdf', size: 6 } } },
    ]);
  });

  test('writes to one key at once, each with its own size and tag, in the order of their sequencers', async () => {
    const { Bucket, put, receive } = await notifyingBucket();
    const contents = Array.from({ length: 20 }, (_, index) => 'x'.repeat(index + 1));
    await Promise.all(contents.map((content) => put('input/same', content)));
    const records = await receive();
    expect(records).toHaveLength(20);
    expect(new Set(records.map(({ s3 }) => s3.object.eTag))).toEqual(new Set(contents.map(md5)));
    for (const { s3 } of records) expect(s3.object.eTag).toBe(md5('x'.repeat(s3.object.size)));
    const sequencers = records.map(({ s3 }) => s3.object.sequencer);
    expect(new Set(sequencers).size).toBe(20);
    const last = records.toSorted((a, b) => (a.s3.object.sequencer < b.s3.object.sequencer ? -1 : 1)).at(-1);
    const { ETag } = await store.s3.send(new HeadObjectCommand({ Bucket, Key: 'input/same' }));
    expect(ETag).toBe(`"${last?.s3.object.eTag}"`);
  });
});

test.each([
  ['input/red flower.pdf', 'input/red+flower.pdf'],
  ['input/a+b.pdf', 'input/a%2Bb.pdf'],
  ['input/100%.pdf', 'input/100%25.pdf'],
  ['input/100%25.pdf', 'input/100%2525.pdf'],
  ['input/ação.pdf', 'input/a%C3%A7%C3%A3o.pdf'],
  ['input/ac\u0327a\u0303o.pdf', 'input/ac%CC%A7a%CC%83o.pdf'],
  ['input/😀.pdf', 'input/%F0%9F%98%80.pdf'],
  [`input/"a" 'b'.pdf`, 'input/%22a%22+%27b%27.pdf'],
  ['input/a (1)!.pdf', 'input/a+%281%29%21.pdf'],
  ['input/a&b=c?d#e.pdf', 'input/a%26b%3Dc%3Fd%23e.pdf'],
  ['input/10:47;@,$.pdf', 'input/10%3A47%3B%40%2C%24.pdf'],
  ['input/<a>|\\^`{}[].pdf', 'input/%3Ca%3E%7C%5C%5E%60%7B%7D%5B%5D.pdf'],
  ['input/a-b_c.d*e/', 'input/a-b_c.d*e/'],
])('the key %s is %s in the message', async (key, encoded) => {
  const { Bucket, put, keys } = await notifyingBucket({ prefix: 'input/' });
  await put(key, 'text');
  const sent = await keys();
  expect(sent).toEqual([encoded]);
  // As every consumer decodes it.
  const Key = decodeURIComponent(sent[0]?.replaceAll('+', ' ') ?? '');
  expect(Key).toBe(key);
  await store.s3.send(new GetObjectCommand({ Bucket, Key }));
});

describe('filters', () => {
  test('only keys with the prefix and the suffix are notified, in their own case', async () => {
    const { put, keys } = await notifyingBucket({ prefix: 'input/', suffix: '.pdf' });
    for (const key of ['input/a.pdf', 'input/a.PDF', 'Input/a.pdf', 'output/input/a.pdf', 'input/.pdf/b'])
      await put(key);
    expect(await keys()).toEqual(['input/a.pdf']);
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
    expect(await keys()).toEqual(expected);
  });

  test('each of several configurations has its own queue', async () => {
    const Bucket = await store.createBucket();
    const [first, second] = [await store.createQueue(), await store.createQueue()];
    await store.configure(Bucket, [
      { arn: first.arn, prefix: 'a/' },
      { arn: second.arn, prefix: 'b/' },
    ]);
    for (const Key of ['a/1', 'b/1', 'c/1'])
      await store.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'text' }));
    const keysOf = async (url: string) => (await store.receive(url)).map(({ s3 }) => s3.object.key);
    expect([await keysOf(first.url), await keysOf(second.url)]).toEqual([['a/1'], ['b/1']]);
  });

  test('a new configuration takes the place of the one before', async () => {
    const { Bucket, put, keys, queue } = await notifyingBucket({ prefix: 'a/' });
    await store.configure(Bucket, [{ arn: queue.arn, prefix: 'b/' }]);
    await put('a/1');
    await put('b/1');
    expect(await keys()).toEqual(['b/1']);
  });
});

describe('nothing is sent', () => {
  test('for reads and deletions', async () => {
    const { Bucket, put, keys } = await notifyingBucket();
    await put('input/a');
    expect(await keys()).toEqual(['input/a']);
    const object = { Bucket, Key: 'input/a' };
    await store.s3.send(new HeadObjectCommand(object));
    await (await store.s3.send(new GetObjectCommand(object))).Body?.transformToString();
    await store.s3.send(new DeleteObjectCommand(object));
    expect(await keys()).toEqual([]);
  });

  test('for writes that fail', async () => {
    const { Bucket, put, copy, keys } = await notifyingBucket();
    await put('input/a');
    await keys();
    const again = new PutObjectCommand({ Bucket, Key: 'input/a', Body: 'other', IfNoneMatch: '*' });
    await expect(store.s3.send(again)).rejects.toMatchObject({ name: 'PreconditionFailed' });
    await expect(copy('input/nothing', 'input/b')).rejects.toMatchObject({ name: 'NoSuchKey' });
    const complete = new CompleteMultipartUploadCommand({
      Bucket,
      Key: 'input/c',
      UploadId: 'none',
      MultipartUpload: { Parts: [{ PartNumber: 1, ETag: '"none"' }] },
    });
    await expect(store.s3.send(complete)).rejects.toMatchObject({ name: 'NoSuchUpload' });
    expect(await keys()).toEqual([]);
  });

  test('for another bucket', async () => {
    const { keys } = await notifyingBucket();
    const Bucket = await store.createBucket();
    await store.s3.send(new PutObjectCommand({ Bucket, Key: 'input/a', Body: 'text' }));
    expect(await keys()).toEqual([]);
  });
});

test('a message is there after a restart, with the object', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sinete-notified-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const first = await startS3AndSqs(dataDir);
  const [Bucket, { url, arn }] = [await first.createBucket(), await first.createQueue()];
  await first.configure(Bucket, [{ arn }]);
  await first.s3.send(new PutObjectCommand({ Bucket, Key: 'input/a', Body: 'text' }));
  await first.stop();

  const second = await startS3AndSqs(dataDir);
  onTestFinished(second.stop);
  const records = await second.receive(url);
  expect(records.map(({ s3 }) => s3.object.eTag)).toEqual([md5('text')]);
});

test('a write whose message cannot be stored fails, so that nothing is lost in silence', async () => {
  const { put, queue } = await notifyingBucket();
  await store.sqs.send(new DeleteQueueCommand({ QueueUrl: queue.url }));
  await expect(put('input/a')).rejects.toMatchObject({
    name: 'InternalError',
    message: expect.stringContaining('The queue was not notified'),
    $metadata: { httpStatusCode: 500 },
  });
});

test('a configuration that would not be honored is refused, and the one before stays', async () => {
  const { Bucket, put, keys, queue } = await notifyingBucket({ prefix: 'a/' });
  const refused = async (NotificationConfiguration: object, message: string) =>
    expect(
      store.s3.send(new PutBucketNotificationConfigurationCommand({ Bucket, NotificationConfiguration })),
    ).rejects.toMatchObject({ name: 'InvalidArgument', message: expect.stringContaining(message) });
  const Events = ['s3:ObjectCreated:*'];
  const missing = queue.arn.replace('arrivals', 'nowhere');
  await refused({ QueueConfigurations: [{ QueueArn: missing, Events }] }, 'is not there');
  await refused(
    { QueueConfigurations: [{ QueueArn: queue.arn, Events: ['s3:ObjectRemoved:*'] }] },
    's3:ObjectRemoved:* is not emitted here',
  );
  await refused(
    { TopicConfigurations: [{ TopicArn: 'arn:aws:sns:us-east-1:000000000000:t', Events }] },
    'does not honor TopicConfiguration',
  );
  await refused({ EventBridgeConfiguration: {} }, 'does not honor EventBridgeConfiguration');
  await put('a/1');
  expect(await keys()).toEqual(['a/1']);
});
