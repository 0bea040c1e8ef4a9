import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import {
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectAclCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListBucketsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { runs } from '../../../faults/fuzz.ts';
import { newFolder, openObjects } from './opened.ts';

const store = openObjects();
let Bucket: string = await store.createBucket();
afterAll(() => store.close());

type Body = PutObjectCommand['input']['Body'];
const put = async (Key: string, Body: Body, IfNoneMatch?: string) =>
  (await store.s3.send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch }))).ETag;
const get = (Key: string, more: object = {}) => store.s3.send(new GetObjectCommand({ Bucket, Key, ...more }));
const text = async (Key: string, more: object = {}) => (await get(Key, more)).Body?.transformToString();
const remove = (Key: string, IfMatch?: string) =>
  store.s3.send(new DeleteObjectCommand({ Bucket, Key, IfMatch }));
const tagOf = async (Key: string) => (await store.s3.send(new HeadObjectCommand({ Bucket, Key }))).ETag;
const failure = (name: string, httpStatusCode: number) => ({ name, $metadata: { httpStatusCode } });
const md5 = (bytes: string | Buffer) => `"${createHash('md5').update(bytes).digest('hex')}"`;

async function* chunks(...parts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part === 'fails') throw Object.assign(new Error('the line went dead'), { status: 413 });
    yield Buffer.from(part);
  }
}

describe('a put', () => {
  test.each<[string, () => unknown]>([
    ['bytes', () => Buffer.from('ação')],
    ['a string', () => 'ação'],
    ['a stream', () => Readable.from([Buffer.from('aç'), Buffer.from('ão')])],
    ['a stream of strings', () => Readable.from(['aç', 'ão'])],
    ['an iterable', () => chunks('aç', 'ão')],
    ['a stream of the web', () => new Blob(['ação']).stream()],
  ])('stores %s', async (_name, body) => {
    const before = Date.now();
    const Key = 'pasta/ação+%&.txt';
    const input = { Bucket, Key, Body: body() as string, ContentType: 'text/plain' };
    expect(await store.s3.send(new PutObjectCommand(input))).toMatchObject({ ETag: md5('ação') });
    const found = await get(Key);
    expect(found).toMatchObject({ ContentLength: 6, ContentType: 'text/plain', ETag: md5('ação') });
    expect(await found.Body?.transformToString()).toBe('ação');
    expect(found.LastModified?.getTime()).toBeGreaterThanOrEqual(before);
  });

  test('of nothing is an empty object of no special type', async () => {
    await put('empty', undefined);
    const found = await get('empty');
    expect(found).toMatchObject({ ContentLength: 0, ContentType: 'application/octet-stream' });
    expect(await found.Body?.transformToByteArray()).toEqual(Buffer.alloc(0));
  });

  test('whose source fails stores nothing, and the error is its own', async () => {
    await put('kept', 'old');
    await expect(put('kept', Readable.from(chunks('half', 'fails')))).rejects.toMatchObject({
      message: 'the line went dead',
      status: 413,
    });
    expect(await text('kept')).toBe('old');
    await expect(put('new', Readable.from(chunks('half', 'fails')))).rejects.toThrow('the line went dead');
    await expect(tagOf('new')).rejects.toMatchObject(failure('NotFound', 404));
  });

  test('of another length than announced stores nothing', async () => {
    const short = new PutObjectCommand({
      Bucket,
      Key: 'short',
      Body: Readable.from(chunks('abc')),
      ContentLength: 4,
    });
    await expect(store.s3.send(short)).rejects.toMatchObject(failure('IncompleteBody', 400));
    await expect(tagOf('short')).rejects.toMatchObject(failure('NotFound', 404));
  });

  test('of many with If-None-Match at once, one succeeds', async () => {
    const writers = Array.from({ length: 10 }, (_, index) => put('first', String(index), '*'));
    const results = await Promise.allSettled(writers);
    const [winner, ...others] = results.filter(({ status }) => status === 'fulfilled');
    expect(others).toEqual([]);
    expect(winner).toMatchObject({ value: await tagOf('first') });
    await expect(put('first', 'late', '*')).rejects.toMatchObject(failure('PreconditionFailed', 412));
  });

  test.each([
    ['is empty', '', 'InvalidArgument'],
    ['holds U+0000', 'a\0b', 'InvalidArgument'],
    ['is not well-formed', 'a\uD800', 'InvalidArgument'],
    ['is too long', 'ã'.repeat(513), 'KeyTooLongError'],
  ])('under a key that %s is refused', async (_why, key, name) => {
    await expect(store.objects.run('PutObject', { Bucket, Key: key, Body: 'x' })).rejects.toMatchObject({
      name,
    });
  });
});

// A reader keeps the content that it has opened, whatever becomes of the object.
describe('a reader', () => {
  const large = (letter: string) => Buffer.alloc(1_000_000, letter);

  test('goes on when the object is replaced, and when it is deleted', async () => {
    await put('read', large('a'));
    const [first, second] = [await get('read'), await get('read')];
    await put('read', large('b'));
    expect(large('a').equals((await first.Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true);
    await remove('read');
    expect(large('a').equals((await second.Body?.transformToByteArray()) ?? Buffer.alloc(0))).toBe(true);
  });

  test('gets a whole object, old or new, while writers replace it', async () => {
    await put('raced', 'a'.repeat(10));
    const writers = Array.from({ length: 30 }, (_, n) => put('raced', String(n % 10).repeat(10)));
    const readers = Array.from({ length: 60 }, async () => {
      const found = await get('raced');
      return [found.ETag, md5((await found.Body?.transformToString()) ?? '')];
    });
    for (const [etag, read] of await Promise.all(readers)) expect(etag).toBe(read);
    await Promise.all(writers);
  });

  test('may ask for a tag', async () => {
    const tag = await put('tagged', 'x');
    expect(await text('tagged', { IfMatch: tag })).toBe('x');
    await expect(get('tagged', { IfMatch: '"other"' })).rejects.toMatchObject(
      failure('PreconditionFailed', 412),
    );
  });

  test('is told what is missing', async () => {
    await expect(get('nothing')).rejects.toMatchObject(failure('NoSuchKey', 404));
    const elsewhere = new GetObjectCommand({ Bucket: 'nowhere', Key: 'a' });
    await expect(store.s3.send(elsewhere)).rejects.toMatchObject(failure('NoSuchBucket', 404));
  });
});

describe('a range', () => {
  const bytes = Buffer.from(Array.from({ length: 200_000 }, (_, n) => n % 251));
  beforeAll(() => put('ranged', bytes));

  test.each<[string, number, number]>([
    ['bytes=0-0', 0, 0],
    ['bytes=10-99', 10, 99],
    ['bytes=199990-', 199_990, 199_999],
    ['bytes=199990-300000', 199_990, 199_999],
    ['bytes=-5', 199_995, 199_999],
    ['bytes=-300000', 0, 199_999],
    ['bytes=1000-150000', 1_000, 150_000],
  ])('%s is those bytes', async (Range, start, end) => {
    const found = await get('ranged', { Range });
    expect(found).toMatchObject({
      ContentLength: end - start + 1,
      ContentRange: `bytes ${start}-${end}/200000`,
    });
    expect(Buffer.from((await found.Body?.transformToByteArray()) ?? [])).toEqual(
      bytes.subarray(start, end + 1),
    );
  });

  test.each(['bytes=200000-', 'bytes=200000-200001', 'bytes=-0'])('%s is not there', async (Range) => {
    await expect(get('ranged', { Range })).rejects.toMatchObject(failure('InvalidRange', 416));
  });

  test.each(['bytes=5-4', 'bytes=-', 'bytes=0-1,3-4', 'lines=0-1'])('%s is none', async (Range) => {
    const found = await get('ranged', { Range });
    expect([found.ContentLength, found.ContentRange]).toEqual([200_000, undefined]);
    (found.Body as Readable).destroy();
  });
});

test('the end of an empty object is all of it, and its beginning is not there', async () => {
  await put('empty', '');
  const found = await get('empty', { Range: 'bytes=-3' });
  expect([found.ContentLength, found.ContentRange]).toEqual([0, undefined]);
  await expect(get('empty', { Range: 'bytes=0-' })).rejects.toMatchObject(failure('InvalidRange', 416));
});

describe('a deletion with If-Match', () => {
  test.each<[string, (tag: string) => string]>([
    ['the tag of the object', (tag) => tag],
    ['the tag without its quotes', (tag) => tag.replaceAll('"', '')],
    ['a star', () => '*'],
  ])('deletes by %s', async (_name, condition) => {
    const tag = await put('a b/ação+%.pdf', 'one');
    await remove('a b/ação+%.pdf', condition(tag ?? ''));
    await expect(tagOf('a b/ação+%.pdf')).rejects.toMatchObject(failure('NotFound', 404));
  });

  test('is refused where the object has changed, and the object stays', async () => {
    const old = await put('changed', 'one');
    const tag = await put('changed', 'two');
    await expect(remove('changed', old)).rejects.toMatchObject(failure('PreconditionFailed', 412));
    expect(await tagOf('changed')).toBe(tag);
  });

  test.each(['"any"', '*'])('answers 404 to %s where there is no object', async (condition) => {
    await expect(remove('nothing', condition)).rejects.toMatchObject(failure('NoSuchKey', 404));
    await remove('nothing');
  });

  // The deletion either comes before a write, and the write stays, or after it, and is refused.
  test('never deletes what another writer has put meanwhile', async () => {
    const old = await put('raced deletion', 'old');
    const [, ...deletions] = await Promise.allSettled([
      put('raced deletion', 'new'),
      ...Array.from({ length: 10 }, () => remove('raced deletion', old)),
    ]);
    expect(deletions.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
    expect(await tagOf('raced deletion')).not.toBe(old);
  });
});

test('many are deleted at once, each by its own tag, and a refused one keeps no other', async () => {
  const [one, two] = [await put('many/1', '1'), await put('many/2', '2')];
  await put('many/3', '3');
  const Objects = [
    { Key: 'many/1', ETag: one },
    { Key: 'many/2', ETag: '"other"' },
    { Key: 'many/3' },
    { Key: 'many/none' },
    { Key: 'many/gone', ETag: two },
  ];
  const { Deleted, Errors } = await store.s3.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
  expect(Deleted).toEqual([{ Key: 'many/1' }, { Key: 'many/3' }, { Key: 'many/none' }]);
  expect(Errors).toMatchObject([
    { Key: 'many/2', Code: 'PreconditionFailed' },
    { Key: 'many/gone', Code: 'NoSuchKey' },
  ]);
  expect(await tagOf('many/2')).toBe(two);
});

describe('a copy', () => {
  const copy = (from: string, Key: string, CopySourceIfMatch?: string) => {
    const CopySource = `${Bucket}/${encodeURIComponent(from)}`;
    return store.s3.send(new CopyObjectCommand({ Bucket, Key, CopySource, CopySourceIfMatch }));
  };

  test('is made while the source has the tag, and refused when it has changed', async () => {
    const tag = await put('a b/ação+%.pdf', 'one');
    await copy('a b/ação+%.pdf', 'first copy', tag);
    await put('a b/ação+%.pdf', 'two');
    await expect(copy('a b/ação+%.pdf', 'second copy', tag)).rejects.toMatchObject(
      failure('PreconditionFailed', 412),
    );
    await expect(tagOf('second copy')).rejects.toMatchObject(failure('NotFound', 404));
    expect(await tagOf('first copy')).toBe(tag);
  });

  test('has the content and the type of its source, also when that is deleted', async () => {
    const source = { Bucket, Key: 'source', Body: 'text', ContentType: 'text/plain' };
    await store.s3.send(new PutObjectCommand(source));
    await copy('source', 'target');
    await remove('source');
    expect(await get('target')).toMatchObject({ ContentType: 'text/plain' });
    expect(await text('target')).toBe('text');
  });

  test('is whole while writers replace its source', async () => {
    await put('copied', 'start');
    const writers = Array.from({ length: 20 }, (_, n) => put('copied', `content ${n}`));
    const copies = Array.from({ length: 20 }, (_, n) => copy('copied', `copy ${n}`));
    await Promise.all([...writers, ...copies]);
    for (const n of copies.keys())
      expect(await tagOf(`copy ${n}`)).toBe(md5((await text(`copy ${n}`)) ?? ''));
  });

  //   copy    |--links the content of v1--|              |--commit: the source is v2, once more--|
  //   writer                              |--puts v2--|
  test('is of the source as it is at the commit', async () => {
    const tag = await put('moving', 'v1');
    store.beforeNextCommit(() => put('moving', 'v2'));
    await copy('moving', 'copy of v2');
    expect(await text('copy of v2')).toBe('v2');
    await put('moving', 'v1');
    store.beforeNextCommit(() => put('moving', 'v2'));
    await expect(copy('moving', 'no copy', tag)).rejects.toMatchObject(failure('PreconditionFailed', 412));
    await expect(tagOf('no copy')).rejects.toMatchObject(failure('NotFound', 404));
  });

  test('of nothing, or onto itself, is refused', async () => {
    await expect(copy('nothing', 'target')).rejects.toMatchObject(failure('NoSuchKey', 404));
    await expect(copy('nothing', 'nothing')).rejects.toMatchObject(failure('NoSuchKey', 404));
    await put('same', 'text');
    await expect(copy('same', 'same')).rejects.toMatchObject(failure('InvalidRequest', 400));
  });
});

describe('a list', () => {
  const listed = async (request: object) => {
    const keys: string[] = [];
    for (let ContinuationToken: string | undefined; ; ) {
      const page = await store.s3.send(new ListObjectsV2Command({ Bucket, ContinuationToken, ...request }));
      keys.push(...(page.Contents ?? []).map(({ Key = '' }) => Key));
      keys.push(...(page.CommonPrefixes ?? []).map(({ Prefix = '' }) => `${Prefix} folder`));
      ContinuationToken = page.NextContinuationToken;
      expect(page.IsTruncated).toBe(ContinuationToken !== undefined);
      if (ContinuationToken === undefined) return keys;
    }
  };
  const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

  test('has all keys with a prefix by their bytes, whatever the size of its pages', async () => {
    Bucket = await store.createBucket();
    const letter = fc.constantFrom('a', 'b', '/', '\uD7FF', '\uE000', '\uFFFF', '\u{10000}', '\u{10FFFF}');
    const word = fc.string({ unit: letter, minLength: 1, maxLength: 4 });
    const keys =
      fc.sample(fc.uniqueArray(word, { minLength: 150, maxLength: 150 }), { numRuns: 1, seed: 7 })[0] ?? [];
    await Promise.all(keys.map((key) => put(key, '')));
    const start = fc.string({ unit: letter, maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(start, start, fc.integer({ min: 1, max: 60 }), async (Prefix, StartAfter, MaxKeys) => {
        const wanted = keys.filter((key) => key.startsWith(Prefix) && byBytes(key, StartAfter) > 0);
        expect(await listed({ Prefix, StartAfter, MaxKeys })).toEqual(wanted.toSorted(byBytes));
        const folders = wanted.map((key) => {
          const at = key.indexOf('/', Prefix.length);
          return at < 0 ? key : `${key.slice(0, at + 1)} folder`;
        });
        const grouped = await listed({ Prefix, StartAfter, MaxKeys, Delimiter: '/' });
        expect(grouped.toSorted()).toEqual([...new Set(folders)].toSorted());
      }),
      { numRuns: runs(60) },
    );
  });

  test('tells the size, the tag and the time of each', async () => {
    await put('zz/told', 'text');
    const { Contents } = await store.s3.send(new ListObjectsV2Command({ Bucket, Prefix: 'zz/' }));
    expect(Contents).toMatchObject([
      { Key: 'zz/told', Size: 4, ETag: md5('text'), LastModified: expect.any(Date) },
    ]);
  });
});

describe('buckets', () => {
  test('are made once, found, listed, and deleted when they are empty', async () => {
    await store.s3.send(new CreateBucketCommand({ Bucket: 'own.bucket-1' }));
    await store.s3.send(new HeadBucketCommand({ Bucket: 'own.bucket-1' }));
    await expect(store.s3.send(new CreateBucketCommand({ Bucket: 'own.bucket-1' }))).rejects.toMatchObject(
      failure('BucketAlreadyOwnedByYou', 409),
    );
    const { Buckets = [] } = await store.s3.send(new ListBucketsCommand({}));
    expect(Buckets.map(({ Name }) => Name)).toContain('own.bucket-1');
    await store.s3.send(new PutObjectCommand({ Bucket: 'own.bucket-1', Key: 'a', Body: '' }));
    await expect(store.s3.send(new DeleteBucketCommand({ Bucket: 'own.bucket-1' }))).rejects.toMatchObject(
      failure('BucketNotEmpty', 409),
    );
    await store.s3.send(new DeleteObjectCommand({ Bucket: 'own.bucket-1', Key: 'a' }));
    await store.s3.send(new DeleteBucketCommand({ Bucket: 'own.bucket-1' }));
    await expect(store.s3.send(new HeadBucketCommand({ Bucket: 'own.bucket-1' }))).rejects.toMatchObject(
      failure('NotFound', 404),
    );
  });

  test('have names that S3 takes', async () => {
    for (const name of ['ab', 'Upper', '-a-', 'a/b', '../x'])
      await expect(store.objects.run('CreateBucket', { Bucket: name })).rejects.toMatchObject({
        name: 'InvalidBucketName',
        status: 400,
      });
  });
});

test('what the store does not implement it refuses by name', async () => {
  await expect(store.s3.send(new GetObjectAclCommand({ Bucket, Key: 'a' }))).rejects.toThrow(
    'does not implement GetObjectAcl',
  );
  await expect(store.objects.run('toString', {})).rejects.toThrow('does not implement toString');
  const put = new PutObjectCommand({ Bucket, Key: 'a', Body: 'x', Metadata: { a: 'b' } });
  await expect(store.s3.send(put)).rejects.toThrow('does not implement Metadata');
  const conditional = new PutObjectCommand({ Bucket, Key: 'a', Body: 'x', IfNoneMatch: '"tag"' });
  await expect(store.s3.send(conditional)).rejects.toMatchObject(failure('NotImplemented', 501));
});

test('replaced, deleted and refused contents leave no file', async () => {
  const folder = newFolder();
  const own = openObjects({ folder });
  onTestFinished(own.close);
  const Bucket = await own.createBucket();
  const put = (Key: string, IfNoneMatch?: string) =>
    own.s3.send(new PutObjectCommand({ Bucket, Key, Body: 'text', IfNoneMatch }));
  await put('a');
  await put('a');
  await put('a', '*').catch(() => undefined);
  await own.objects
    .run('PutObject', { Bucket, Key: 'a', Body: chunks('half', 'fails') })
    .catch(() => undefined);
  await put('b');
  await own.s3.send(new CopyObjectCommand({ Bucket, Key: 'c', CopySource: `${Bucket}/b` }));
  await own.s3.send(new DeleteObjectCommand({ Bucket, Key: 'b' }));
  const files = readdirSync(join(folder, 'content'), { recursive: true, withFileTypes: true });
  expect(files.filter((file) => file.isFile())).toHaveLength(2);
});
