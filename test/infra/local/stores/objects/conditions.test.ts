import {
  CopyObjectCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startS3AndSqs } from './started.ts';

let store: Awaited<ReturnType<typeof startS3AndSqs>>;
let Bucket: string;
beforeAll(async () => {
  store = await startS3AndSqs();
  Bucket = await store.createBucket();
});
afterAll(() => store.stop());

const put = async (Key: string, Body: string, IfNoneMatch?: string) =>
  (await store.s3.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch }))).ETag;
const remove = (Key: string, IfMatch?: string) =>
  store.s3.send(new DeleteObjectCommand({ Bucket, Key, IfMatch }));
const tagOf = async (Key: string) => (await store.s3.send(new HeadObjectCommand({ Bucket, Key }))).ETag;

describe('a deletion with If-Match', () => {
  test.each<[string, (tag: string) => string]>([
    ['the tag of the object', (tag) => tag],
    ['the tag without its quotes', (tag) => tag.replaceAll('"', '')],
    ['a star', () => '*'],
  ])('deletes by %s', async (_name, condition) => {
    const tag = await put('a b/ação+%.pdf', 'one');
    await remove('a b/ação+%.pdf', condition(tag ?? ''));
    await expect(tagOf('a b/ação+%.pdf')).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('is refused where the object has changed, and the object stays', async () => {
    const old = await put('changed', 'one');
    const tag = await put('changed', 'two');
    await expect(remove('changed', old)).rejects.toMatchObject({
      name: 'PreconditionFailed',
      $metadata: { httpStatusCode: 412 },
    });
    expect(await tagOf('changed')).toBe(tag);
  });

  test.each(['"any"', '*'])('answers 404 to %s where there is no object', async (condition) => {
    await expect(remove('nothing', condition)).rejects.toMatchObject({ $metadata: { httpStatusCode: 404 } });
    await remove('nothing');
  });

  // The deletion either comes before a write, and the write stays, or after it, and is refused.
  test('never deletes what another writer has put meanwhile', async () => {
    const old = await put('raced', 'old');
    const [, ...deletions] = await Promise.allSettled([
      put('raced', 'new'),
      ...Array.from({ length: 10 }, () => remove('raced', old)),
    ]);
    expect(deletions.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    expect(await tagOf('raced')).not.toBe(old);
  });
});

describe('a copy with the tag of its source', () => {
  const copy = (CopySourceIfMatch: string | undefined, Key: string) => {
    const CopySource = `${Bucket}/${encodeURIComponent('a b/ação+%.pdf')}`;
    return store.s3.send(new CopyObjectCommand({ Bucket, Key, CopySource, CopySourceIfMatch }));
  };

  test('is made while the source has it, and refused when it has changed', async () => {
    const tag = await put('a b/ação+%.pdf', 'one');
    await copy(tag, 'first copy');
    await put('a b/ação+%.pdf', 'two');
    await expect(copy(tag, 'second copy')).rejects.toMatchObject({ $metadata: { httpStatusCode: 412 } });
    await expect(tagOf('second copy')).rejects.toMatchObject({ name: 'NotFound' });
    expect(await tagOf('first copy')).toBe(tag);
  });
});

test('of many writers with If-None-Match at once, one succeeds', async () => {
  const writers = Array.from({ length: 10 }, (_, index) => put('new', String(index), '*'));
  const results = await Promise.allSettled(writers);
  const [first, ...others] = results.filter(({ status }) => status === 'fulfilled');
  expect(others).toEqual([]);
  expect(first).toMatchObject({ value: await tagOf('new') });
});
