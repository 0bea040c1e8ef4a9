import { randomUUID } from 'node:crypto';
import { DeleteObjectsCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { provideStores } from '../../../shared/embedded/provided.ts';
import { ownBucket, s3 } from '../../../shared/files/client.ts';
import { BadKey } from '../../../shared/files/errors.ts';
import { files } from '../../../shared/files/files.ts';
import { countCalls } from '../../measure/calls.ts';

const store = files('documents');
const put = (key: string, text = 'any') => store.put(key, Buffer.from(text), { contentType: 'text/plain' });
const exists = async (key: string) => (await store.head(key)) !== undefined;
const answer = (httpStatusCode: number) => Object.assign(new Error(), { $metadata: { httpStatusCode } });

/** Stands in for S3 where it deletes many: all other calls reach the store. */
function onDeleteObjects() {
  const mock = mockClient(S3Client);
  mock.send.callThrough();
  onTestFinished(() => mock.restore());
  return mock.on(DeleteObjectsCommand);
}

/** Refuses the deletion of one file alone. */
function refuseDeletion(key: string, error: Error): void {
  const name = 'refuse-deletion';
  s3().middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        commandName === 'DeleteObjectCommand' && (args.input as { Key?: string }).Key === key
          ? Promise.reject(error)
          : next(args),
    { step: 'initialize', name },
  );
  onTestFinished(() => void s3().middlewareStack.remove(name));
}

const folderOfTest = () => `test/${randomUUID()}`;

describe('removeMany', () => {
  test('deletes a thousand files in a request, whatever their names, and a missing one is no error', async () => {
    const folder = folderOfTest();
    const keys = Array.from({ length: 1_001 }, (_, n) => `${folder}/${n} <ação> & "co".txt`);
    for (let from = 0; from < keys.length - 1; from += 100)
      await Promise.all(keys.slice(from, Math.min(from + 100, keys.length - 1)).map((key) => put(key)));
    const doomed = keys.map((key) => ({ key }));
    const { byCommand } = await countCalls(async () => {
      const { removed, changed, failed } = await store.removeMany(doomed);
      expect([removed.toSorted(), changed, failed.size]).toEqual([keys.toSorted(), [], 0]);
    });
    expect(byCommand).toEqual({ DeleteObjects: 2 });
    expect((await store.list(`${folder}/`)).files).toEqual([]);
  });

  test('deletes a name that the store reads as another one', async () => {
    const key = `${folderOfTest()}/a&lt;b.txt`;
    await put(key);
    expect((await store.removeMany([{ key }])).removed).toEqual([key]);
    expect(await exists(key)).toBe(false);
  });

  test('names files as its store does', async () => {
    const prefix = folderOfTest();
    const share = files({ bucket: ownBucket('documents'), prefix });
    await put(`${prefix}/in.txt`);
    expect((await share.removeMany([{ key: 'in.txt' }])).removed).toEqual(['in.txt']);
    expect(await exists(`${prefix}/in.txt`)).toBe(false);
  });

  test('does not touch a key that could mean another one, and deletes the others', async () => {
    const key = `${folderOfTest()}/plain.txt`;
    await put(key);
    const { removed, failed } = await store.removeMany([{ key: '../x' }, { key }]);
    expect([removed, [...failed.keys()]]).toEqual([[key], ['../x']]);
    expect(failed.get('../x')).toBeInstanceOf(BadKey);
  });

  test('a file that is refused in the request is tried alone, and its error keeps no other file', async () => {
    const folder = folderOfTest();
    const [good, denied, busy] = ['good', 'denied', 'busy'].map((name) => `${folder}/${name}`) as [
      string,
      string,
      string,
    ];
    for (const key of [good, denied, busy]) await put(key);
    onDeleteObjects().resolves({
      Deleted: [{ Key: good }],
      Errors: [
        { Key: denied, Code: 'AccessDenied' },
        { Key: busy, Code: 'InternalError' },
      ],
    });
    refuseDeletion(denied, answer(403));
    const { removed, changed, failed } = await store.removeMany([good, denied, busy].map((key) => ({ key })));
    expect([removed, changed, [...failed.keys()]]).toEqual([[good, busy], [], [denied]]);
    expect([await exists(denied), await exists(busy)]).toEqual([true, false]);
  });

  test('a file with another entity tag by now stays', async () => {
    const key = `${folderOfTest()}/rewritten`;
    const { etag } = await put(key, 'old');
    await put(key, 'new');
    onDeleteObjects().resolves({ Errors: [{ Key: key, Code: 'PreconditionFailed' }] });
    refuseDeletion(key, answer(412));
    const { removed, changed } = await store.removeMany([{ key, etag }]);
    expect([removed, changed, await exists(key)]).toEqual([[], [key], true]);
  });

  test.each([400, 405, 501])(
    'a store that answers %i to the request deletes file by file',
    async (status) => {
      const key = `${folderOfTest()}/alone`;
      const { etag } = await put(key);
      onDeleteObjects().rejects(answer(status));
      expect((await store.removeMany([{ key, etag }])).removed).toEqual([key]);
      expect(await exists(key)).toBe(false);
    },
  );

  test('a store that is away is not asked for every file', async () => {
    const keys = [1, 2, 3].map((n) => `${folderOfTest()}/${n}`);
    onDeleteObjects().rejects(answer(503));
    const { byCommand } = await countCalls(async () => {
      const { removed, failed } = await store.removeMany(keys.map((key) => ({ key })));
      expect([removed, [...failed.keys()]]).toEqual([[], keys]);
    });
    expect(byCommand.DeleteObject).toBeUndefined();
  });

  test('sends the checksum that S3 requires of this request', async () => {
    const key = `${folderOfTest()}/any`;
    let headers: Record<string, string> = {};
    const stores = provideStores(undefined);
    onTestFinished(() => void provideStores(stores));
    s3().middlewareStack.add(
      () => async (args) => {
        headers = (args.request as { headers: Record<string, string> }).headers;
        return { output: { $metadata: {}, Deleted: [{ Key: key }] }, response: {} };
      },
      { step: 'finalizeRequest', priority: 'low', name: 'see-headers' },
    );
    onTestFinished(() => void s3().middlewareStack.remove('see-headers'));
    await store.removeMany([{ key }]);
    expect(headers['x-amz-checksum-crc32'] ?? headers['content-md5']).toMatch(/=$/);
  });
});
