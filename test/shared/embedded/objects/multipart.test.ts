import { createHash } from 'node:crypto';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { afterAll, expect, test } from 'vitest';
import { openObjects } from './opened.ts';

const MB = 1_024 * 1_024;

const store = openObjects();
const Bucket = await store.createBucket();
afterAll(() => store.close());

const failure = (name: string, httpStatusCode: number) => ({ name, $metadata: { httpStatusCode } });
const md5 = (bytes: Buffer) => createHash('md5').update(bytes).digest();

async function begin(Key: string) {
  const created = await store.s3.send(new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'a/b' }));
  const upload = { Bucket, Key, UploadId: created.UploadId };
  return {
    upload,
    send: async (PartNumber: number, Body: Buffer) => ({
      PartNumber,
      ETag: (await store.s3.send(new UploadPartCommand({ ...upload, PartNumber, Body }))).ETag,
    }),
    complete: (Parts: object[], IfNoneMatch?: string) =>
      store.s3.send(
        new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, IfNoneMatch }),
      ),
    abort: () => store.s3.send(new AbortMultipartUploadCommand(upload)),
  };
}
const head = (Key: string) => store.s3.send(new HeadObjectCommand({ Bucket, Key }));
const uploads = async () =>
  ((await store.s3.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []).map(({ Key }) => Key);

test('parts become one object in their order, with the tag that S3 gives it', async () => {
  const { send, complete } = await begin('whole');
  const parts = [Buffer.alloc(5 * MB, 'a'), Buffer.alloc(5 * MB, 'b'), Buffer.from('c')];
  const sent = await Promise.all(parts.map((part, index) => send(index + 1, part)).toReversed());
  const { ETag } = await complete(sent.toReversed());
  expect(ETag).toBe(`"${md5(Buffer.concat(parts.map(md5))).toString('hex')}-3"`);
  expect(await head('whole')).toMatchObject({ ContentLength: 10 * MB + 1, ContentType: 'a/b', ETag });
  const found = await store.s3.send(new GetObjectCommand({ Bucket, Key: 'whole' }));
  expect(Buffer.from((await found.Body?.transformToByteArray()) ?? []).equals(Buffer.concat(parts))).toBe(
    true,
  );
  expect(await uploads()).toEqual([]);
});

test('a part that is sent again takes the place of the one before', async () => {
  const { send, complete } = await begin('again');
  const first = await send(1, Buffer.from('old'));
  const second = await send(1, Buffer.from('new'));
  await expect(complete([first])).rejects.toMatchObject(failure('InvalidPart', 400));
  await complete([second]);
  const found = await store.s3.send(new GetObjectCommand({ Bucket, Key: 'again' }));
  expect(await found.Body?.transformToString()).toBe('new');
});

test('nothing is made of parts that are out of order, unknown or too small', async () => {
  const { send, complete, abort } = await begin('bad');
  const [one, two] = [await send(1, Buffer.from('small')), await send(2, Buffer.from('small'))];
  await expect(complete([two, one])).rejects.toMatchObject(failure('InvalidPartOrder', 400));
  await expect(complete([one, two])).rejects.toMatchObject(failure('EntityTooSmall', 400));
  await expect(complete([{ ...one, ETag: '"other"' }])).rejects.toMatchObject(failure('InvalidPart', 400));
  await expect(complete([{ PartNumber: 9, ETag: one.ETag }])).rejects.toMatchObject(
    failure('InvalidPart', 400),
  );
  await expect(complete([{ PartNumber: 9, ETag: one.ETag }, one])).rejects.toMatchObject(
    failure('InvalidPartOrder', 400),
  );
  await expect(complete([])).rejects.toMatchObject(failure('MalformedXML', 400));
  await expect(head('bad')).rejects.toMatchObject(failure('NotFound', 404));
  await abort();
});

test('an upload that was aborted or completed is gone', async () => {
  const { send, complete, abort } = await begin('gone');
  const part = await send(1, Buffer.from('x'));
  expect(await uploads()).toEqual(['gone']);
  await abort();
  expect(await uploads()).toEqual([]);
  await expect(send(2, Buffer.from('x'))).rejects.toMatchObject(failure('NoSuchUpload', 404));
  await expect(complete([part])).rejects.toMatchObject(failure('NoSuchUpload', 404));
  await expect(abort()).rejects.toMatchObject(failure('NoSuchUpload', 404));
});

test('an upload that must not replace is refused at its end, and stays until it is aborted', async () => {
  await store.s3.send(new PutObjectCommand({ Bucket, Key: 'there', Body: 'first' }));
  const { send, complete, abort } = await begin('there');
  const part = await send(1, Buffer.from('second'));
  await expect(complete([part], '*')).rejects.toMatchObject(failure('PreconditionFailed', 412));
  const unknown = { ...part, PartNumber: 2 };
  await expect(complete([unknown], '*')).rejects.toMatchObject(failure('PreconditionFailed', 412));
  expect(await uploads()).toEqual(['there']);
  await abort();
  expect(await head('there')).toMatchObject({ ContentLength: 5 });
});

//   completion  |--joins the parts--|                       |--commit: part 1 is another one: refused--|
//   sender                          |--sends part 1 again--|
test('a part that is sent again while the upload is completed ends the completion', async () => {
  const { send, complete } = await begin('resent');
  const part = await send(1, Buffer.from('old'));
  store.beforeNextCommit(() => send(1, Buffer.from('new')));
  await expect(complete([part])).rejects.toMatchObject(failure('InvalidPart', 400));
  await expect(head('resent')).rejects.toMatchObject(failure('NotFound', 404));
});

test('of two completions at once, one is made', async () => {
  const { send, complete } = await begin('twice');
  const part = await send(1, Buffer.from('x'));
  const results = await Promise.allSettled([complete([part]), complete([part])]);
  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});
