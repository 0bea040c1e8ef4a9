import { createHash, randomUUID } from 'node:crypto';
import { DeleteObjectCommand, ListMultipartUploadsCommand, S3Client } from '@aws-sdk/client-s3';
import { mockClient } from 'aws-sdk-client-mock';
import { describe, expect, onTestFinished, test } from 'vitest';
import { provideStores } from '../../../shared/embedded/provided.ts';
import { s3 } from '../../../shared/files/client.ts';
import { BadKey, FileExists, TooLarge } from '../../../shared/files/errors.ts';
import { files } from '../../../shared/files/files.ts';
import { bucketName } from '../../../shared/settings/names.ts';

const store = files('documents');
const anyKey = (): string => `test/${randomUUID()}/ação.pdf`;
const put = (key: string, text: string) => store.put(key, Buffer.from(text), { contentType: 'text/plain' });
const text = async (key: string) => (await store.read(key, 1_000))?.toString();
const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');

/** Answers in the place of the store where a deletion has a condition; all other calls reach it. */
function onConditionalDeletion(answer: () => Promise<never>): { restore: () => void } {
  const name = 'conditional-deletion';
  s3().middlewareStack.add(
    (next, { commandName }) =>
      (args) =>
        commandName === 'DeleteObjectCommand' && 'IfMatch' in args.input ? answer() : next(args),
    { step: 'initialize', name },
  );
  return { restore: () => void s3().middlewareStack.remove(name) };
}

describe('move', () => {
  test('a moved file is at its target, with its type, and no longer at its source', async () => {
    const [from, to] = [anyKey(), anyKey()];
    await put(from, 'one');
    expect(await store.move(from, to)).toBe('moved');
    expect(await text(to)).toBe('one');
    expect(await store.head(to)).toMatchObject({ contentType: 'text/plain' });
    expect(await store.head(from)).toBeUndefined();
  });

  test('a move may be repeated', async () => {
    const [from, to] = [anyKey(), anyKey()];
    await put(from, 'one');
    await store.move(from, to);
    expect(await store.move(from, to)).toBe('moved');
    expect(await text(to)).toBe('one');
  });

  test('a move that died between copy and deletion ends when repeated', async () => {
    const [from, to] = [anyKey(), anyKey()];
    await put(from, 'one');
    await put(to, 'one');
    expect(await store.move(from, to)).toBe('moved');
    expect(await store.head(from)).toBeUndefined();
  });

  test('of two movers at once, both say moved and the file is there once', async () => {
    const [from, to] = [anyKey(), anyKey()];
    await put(from, 'one');
    expect(await Promise.all([store.move(from, to), store.move(from, to)])).toEqual(['moved', 'moved']);
    expect(await text(to)).toBe('one');
    expect(await store.head(from)).toBeUndefined();
  });

  test('moving a file onto itself keeps it', async () => {
    const key = anyKey();
    await put(key, 'one');
    expect(await store.move(key, key)).toBe('moved');
    expect(await text(key)).toBe('one');
  });

  test('moving what is neither here nor there says gone', async () => {
    expect(await store.move(anyKey(), anyKey())).toBe('gone');
  });
});

describe('deleteIfSame', () => {
  test('the very file that is known is deleted', async () => {
    const key = anyKey();
    const { etag } = await put(key, 'same');
    expect(await store.deleteIfSame(key, { etag, length: 4, sha256: sha256('same') })).toBe('deleted');
    expect(await store.head(key)).toBeUndefined();
  });

  test.each([
    ['another length', { length: 5, sha256: sha256('same') }],
    ['another hash', { length: 4, sha256: sha256('Same') }],
    ['another entity tag', { length: 4, sha256: sha256('same'), etag: '"other"' }],
  ])('a file by %s is left alone', async (_, known) => {
    const key = anyKey();
    await put(key, 'same');
    expect(await store.deleteIfSame(key, known)).toBe('changed');
    expect(await text(key)).toBe('same');
  });

  test('a file that is not there is gone', async () => {
    expect(await store.deleteIfSame(anyKey(), { length: 1, sha256: sha256('a') })).toBe('gone');
  });

  test.each([
    [412, 'changed'],
    [409, 'changed'],
    [404, 'gone'],
  ])('when the store answers the deletion with %i, the file is %s', async (httpStatusCode, outcome) => {
    const key = anyKey();
    await put(key, 'same');
    const mock = mockClient(S3Client);
    mock.send.callThrough();
    mock.on(DeleteObjectCommand).rejects(Object.assign(new Error(), { $metadata: { httpStatusCode } }));
    onTestFinished(() => mock.restore());
    expect(await store.deleteIfSame(key, { length: 4, sha256: sha256('same') })).toBe(outcome);
  });

  test('a file that another writer replaces between the comparison and the deletion stays', async () => {
    const key = anyKey();
    await put(key, 'same');
    const name = 'write-before-deletion';
    s3().middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'DeleteObjectCommand') await put(key, 'new');
          return next(args);
        },
      { step: 'initialize', name },
    );
    onTestFinished(() => void s3().middlewareStack.remove(name));
    expect(await store.deleteIfSame(key, { length: 4, sha256: sha256('same') })).toBe('changed');
    expect(await text(key)).toBe('new');
  });

  test('a store elsewhere that ignores the condition keeps a file that was rewritten while it was read', async () => {
    const bucket = { name: bucketName('documents'), client: s3(), mayIgnoreConditions: true };
    const elsewhere = files({ bucket, prefix: '' });
    const key = anyKey();
    await put(key, 'same');
    const name = 'ignored-conditions';
    s3().middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          const isDeletion = commandName === 'DeleteObjectCommand';
          const answer = await next(
            isDeletion ? { ...args, input: { ...args.input, IfMatch: undefined } } : args,
          );
          if (commandName === 'GetObjectCommand') await put(key, 'new');
          return answer;
        },
      { step: 'initialize', name },
    );
    onTestFinished(() => void s3().middlewareStack.remove(name));
    expect(await elsewhere.deleteIfSame(key, { length: 4, sha256: sha256('same') })).toBe('changed');
    expect((await elsewhere.head(key))?.length).toBe(3);
  });

  test('a store that has no conditional deletion deletes the file while it is the same', async () => {
    const key = anyKey();
    await put(key, 'same');
    let before: (() => Promise<unknown>) | undefined;
    const refuse = onConditionalDeletion(async () => {
      await before?.();
      throw Object.assign(new Error(), { $metadata: { httpStatusCode: 501 } });
    });
    onTestFinished(refuse.restore);
    expect(await store.deleteIfSame(key, { length: 4, sha256: sha256('same') })).toBe('deleted');
    expect(await store.head(key)).toBeUndefined();

    await put(key, 'same');
    before = () => put(key, 'new');
    expect(await store.deleteIfSame(key, { length: 4, sha256: sha256('same') })).toBe('changed');
    expect(await text(key)).toBe('new');
  });
});

test('a file is removed whatever it holds, and removing it again does no harm', async () => {
  const key = anyKey();
  await put(key, 'any');
  await store.remove(key);
  expect(await store.head(key)).toBeUndefined();
  await store.remove(key);
});

describe('a put that must not replace', () => {
  const putNew = (key: string, content: string | AsyncIterable<Uint8Array>) =>
    store.put(key, typeof content === 'string' ? Buffer.from(content) : content, {
      contentType: 'text/plain',
      onlyIfAbsent: true,
    });

  test('is refused with FileExists where another file is, which stays', async () => {
    const key = anyKey();
    await putNew(key, 'one');
    await expect(putNew(key, 'two')).rejects.toThrow(FileExists);
    expect(await text(key)).toBe('one');
  });

  test('is refused for a file of several parts too, and leaves none of them', async () => {
    const key = anyKey();
    await putNew(key, 'one');
    const parts = async function* () {
      for (let n = 0; n < 3; n++) yield Buffer.alloc(3_000_000, n);
    };
    await expect(putNew(key, parts())).rejects.toThrow(FileExists);
    expect(await text(key)).toBe('one');
    const listing = new ListMultipartUploadsCommand({ Bucket: bucketName('documents'), Prefix: key });
    expect((await s3().send(listing)).Uploads ?? []).toEqual([]);
  });

  test('is done where the same bytes are there: its first answer was lost', async () => {
    const key = anyKey();
    const { etag } = await putNew(key, 'one');
    expect(await putNew(key, 'one')).toMatchObject({ etag, length: 3 });
  });
});

describe('list', () => {
  test('files are listed by prefix, in order of key', async () => {
    const folder = `test/${randomUUID()}`;
    for (const name of ['b', 'a', 'c/ã']) await put(`${folder}/${name}`, name);
    const page = await store.list(`${folder}/`);
    expect(page.files.map(({ key, length }) => [key, length])).toEqual([
      [`${folder}/a`, 1],
      [`${folder}/b`, 1],
      [`${folder}/c/ã`, 4],
    ]);
    expect(page.cursor).toBeUndefined();
  });

  test('a list longer than a page goes on from its cursor', async () => {
    const folder = `test/${randomUUID()}`;
    const names = Array.from({ length: 1_003 }, (_, i) => `${folder}/${String(i).padStart(4, '0')}`);
    for (let i = 0; i < names.length; i += 100) {
      await Promise.all(names.slice(i, i + 100).map((name) => put(name, '')));
    }
    const first = await store.list(folder);
    const second = await store.list(folder, { cursor: first.cursor });
    expect([...first.files, ...second.files].map(({ key }) => key)).toEqual(names);
    expect(second.cursor).toBeUndefined();
  });
});

describe('links', () => {
  const pdf = Buffer.from('%PDF-1.7 assinado');

  test('a file goes up and comes down by links, under its own Unicode name', async () => {
    const key = anyKey();
    const { url, ...request } = await store.uploadUrl(key, {
      contentType: 'application/pdf',
      length: pdf.length,
      maxBytes: 1_000,
      expiresSeconds: 60,
    });
    expect((await fetch(url, { ...request, body: pdf })).status).toBe(200);
    expect(await store.head(key)).toMatchObject({ length: pdf.length, contentType: 'application/pdf' });

    const link = await store.downloadUrl(key, { fileName: 'Procuração nº 1.pdf', expiresSeconds: 60 });
    expect(new URL(link).searchParams.get('response-content-disposition')).toBe(
      `attachment; filename="Procuracao n_ 1.pdf"; filename*=UTF-8''Procura%C3%A7%C3%A3o%20n%C2%BA%201.pdf`,
    );
    const answer = await fetch(link);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(pdf);
  });

  test('type, size and time to live are part of what is signed for S3', async () => {
    const stores = provideStores(undefined);
    onTestFinished(() => void provideStores(stores));
    const { url } = await store.uploadUrl(anyKey(), {
      contentType: 'application/pdf',
      length: 10,
      maxBytes: 10,
      expiresSeconds: 60,
    });
    const query = new URL(url).searchParams;
    expect(query.get('X-Amz-SignedHeaders')).toBe('content-length;content-type;host');
    expect(query.get('X-Amz-Expires')).toBe('60');
    expect([...query.keys()].filter((name) => /checksum/i.test(name))).toEqual([]);
  });

  test('no link is given for a file announced larger than allowed', async () => {
    const link = { contentType: 'x/y', length: 11, maxBytes: 10, expiresSeconds: 60 };
    await expect(store.uploadUrl(anyKey(), link)).rejects.toBeInstanceOf(TooLarge);
  });
});

describe('keys', () => {
  const bad = [
    ...['', '/', '/a', 'a/', 'a//b', '.', '..', '../a', 'a/../b', 'a/./b', 'a/..', 'a\\b', '..\\a'],
    ...['a\0b', 'a\nb', 'a\u0085b', 'a\uD800', 'a\uFFFF', 'x'.repeat(1_025), 'ã'.repeat(513)],
  ];

  test.each(bad)('%j is refused by every operation', async (key) => {
    const link = { contentType: 'x/y', length: 1, maxBytes: 1, expiresSeconds: 1, fileName: 'a' };
    const attempts = [
      () => store.put(key, Buffer.from('x'), { contentType: 'x/y' }),
      () => store.get(key),
      () => store.head(key),
      () => store.read(key, 1),
      () => store.move(key, 'a'),
      () => store.move('a', key),
      () => store.deleteIfSame(key, { length: 1, sha256: '' }),
      () => store.remove(key),
      () => store.uploadUrl(key, link),
      () => store.downloadUrl(key, link),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toBeInstanceOf(BadKey);
  });

  test.each(['../', 'a/../', '/', 'a//', 'a\0'])('%j is refused as a prefix', async (prefix) => {
    await expect(store.list(prefix)).rejects.toBeInstanceOf(BadKey);
  });

  test.each(['a b+c&d=e?f#g%20h.pdf', "..a/b..c/d'(1)!*.pdf", 'família 👩‍👧/契約.pdf'])(
    '%j is a key like any other',
    async (name) => {
      const key = `test/${randomUUID()}/${name}`;
      const target = `test/${randomUUID()}/${name}`;
      await put(key, 'x');
      expect(await store.move(key, target)).toBe('moved');
      const { files: found } = await store.list(target);
      expect(found.map((file) => file.key)).toEqual([target]);
      const link = await store.downloadUrl(target, { fileName: name, expiresSeconds: 60 });
      expect(await (await fetch(link)).text()).toBe('x');
    },
  );
});
