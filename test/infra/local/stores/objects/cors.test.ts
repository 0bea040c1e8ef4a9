import { CreateBucketCommand, PutBucketCorsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ObjectsAndQueues,
  startObjectsAndQueues,
} from '../../../../../infra/local/stores/objects-and-queues.ts';

const ORIGIN = 'https://app.example';
let stores: ObjectsAndQueues;
let s3: S3Client;

beforeAll(async () => {
  stores = await startObjectsAndQueues();
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  s3 = new S3Client({ endpoint: stores.endpoint, region: 'us-east-1', credentials, forcePathStyle: true });
  for (const Bucket of ['open', 'closed']) await s3.send(new CreateBucketCommand({ Bucket }));
  const rule = {
    AllowedOrigins: [ORIGIN],
    AllowedMethods: ['PUT'],
    ExposeHeaders: ['ETag'],
    MaxAgeSeconds: 60,
  };
  await s3.send(new PutBucketCorsCommand({ Bucket: 'open', CORSConfiguration: { CORSRules: [rule] } }));
});
afterAll(() => stores.stop());

const ask = (bucket: string, origin: string, method: string) =>
  fetch(`${stores.endpoint}/${bucket}/a/b.pdf?X-Amz-Expires=60`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'content-type',
    },
  });

test('a page of an origin in the rules may put, and reads the entity tag', async () => {
  const asked = await ask('open', ORIGIN, 'PUT');
  expect([asked.status, Object.fromEntries(asked.headers)]).toMatchObject([
    200,
    {
      'access-control-allow-origin': ORIGIN,
      'access-control-allow-methods': 'PUT',
      'access-control-allow-headers': 'content-type',
      'access-control-max-age': '60',
    },
  ]);
  const put = await fetch(`${stores.endpoint}/open/a/b.pdf`, {
    method: 'PUT',
    headers: { origin: ORIGIN },
    body: 'x',
  });
  expect([put.status, put.headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN]);
  expect(put.headers.get('access-control-expose-headers')).toBe('ETag');
});

test.each([
  ['another origin', 'open', 'https://evil.example', 'PUT'],
  ['another method', 'open', ORIGIN, 'DELETE'],
  ['a bucket without rules', 'closed', ORIGIN, 'PUT'],
])('%s gets no consent', async (_, bucket, origin, method) => {
  const { status, headers } = await ask(bucket, origin, method);
  expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
});

test('a server that names no origin is answered as before', async () => {
  const { ETag } = await s3.send(new PutObjectCommand({ Bucket: 'open', Key: 'plain', Body: 'x' }));
  expect(ETag).toBeDefined();
});
