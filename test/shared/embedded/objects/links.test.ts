import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  DeleteBucketCorsCommand,
  HeadObjectCommand,
  PutBucketCorsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { s3 } from '../../../../shared/files/client.ts';
import { uploadUrl } from '../../../../shared/files/presign.ts';
import { runs } from '../../../faults/fuzz.ts';
import { newFolder, openObjects } from './opened.ts';

const ORIGIN = 'https://app.example';
const START = Date.parse('2026-11-17T12:00:00Z');
let nowMs = START;
/** Ends when the last request is answered, or given up. */
let handled: Promise<unknown> | undefined;

const store = openObjects({ now: () => nowMs });
const bucket = await store.createBucket();
const server = createServer((request, response) => {
  handled = store.objects.handle(request, response);
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
vi.stubEnv('Stores__LinksUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}/links/`);
afterEach(() => {
  nowMs = START;
});
afterAll(() => {
  vi.unstubAllEnvs();
  server.close();
  store.close();
});

const TYPE = 'application/pdf';
const uploadLink = (key: string, length: number, expiresSeconds = 60) =>
  store.objects.links.upload({ bucket, key, contentType: TYPE, length, expiresSeconds });
const downloadLink = (key: string, expiresSeconds = 60) =>
  store.objects.links.download({ bucket, key, disposition: 'attachment; filename="a.pdf"', expiresSeconds });
// Half duplex: a stream as body, whose length nobody knows, is allowed only so.
const put = (url: string, body: string | ReadableStream, type = TYPE) =>
  fetch(url, { method: 'PUT', headers: { 'content-type': type }, body, duplex: 'half' } as RequestInit);
const stored = (Key: string, Body: string | Buffer) =>
  store.s3.send(new PutObjectCommand({ Bucket: bucket, Key, Body, ContentType: TYPE }));
const head = (Key: string) => store.s3.send(new HeadObjectCommand({ Bucket: bucket, Key }));
const refused = async (answer: Promise<Response>) => {
  const { status, headers, text } = await answer.then(async (got) => ({
    status: got.status,
    headers: got.headers,
    text: await got.text(),
  }));
  expect(headers.get('content-type')).toBe('application/xml');
  return `${status} ${/<Code>(.*)<\/Code>/.exec(text)?.[1]}`;
};
const changed = (url: string, name: string, value: string) => {
  const other = new URL(url);
  other.searchParams.set(name, value);
  return other.href;
};

describe('an upload', () => {
  test.each(['a b/ação+%&=?#.pdf', "família 👩‍👧/d'(1)!*.pdf", '..a/b..c'])('puts %s', async (key) => {
    const answer = await put(uploadLink(key, 8), '%PDF-1.7');
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, (await head(key)).ETag]);
    expect(await head(key)).toMatchObject({ ContentLength: 8, ContentType: TYPE });
  });

  test.each<[string, (url: string) => Promise<Response>]>([
    ['another type', (url) => put(url, '%PDF-1.7', 'text/html')],
    ['no type', (url) => fetch(url, { method: 'PUT', body: Buffer.from('%PDF-1.7') })],
    ['a shorter file', (url) => put(url, '%PDF-1.')],
    ['a longer file', (url) => put(url, '%PDF-1.77')],
    ['a file of no announced length', (url) => put(url, new Blob(['%PDF-1.7']).stream(), TYPE)],
    [
      'another type in the link',
      (url) => put(changed(url, 'content-type', 'text/html'), '%PDF-1.7', 'text/html'),
    ],
    ['another length in the link', (url) => put(changed(url, 'content-length', '7'), '%PDF-1.')],
    ['a later end in the link', (url) => put(changed(url, 'expires', '6000'), '%PDF-1.7')],
    ['more in the link', (url) => put(changed(url, 'x', 'y'), '%PDF-1.7')],
    ['another key', (url) => put(url.replace('/refused?', '/refuse?'), '%PDF-1.7')],
    ['another signature', (url) => put(changed(url, 'signature', 'A'.repeat(43)), '%PDF-1.7')],
    ['another method', (url) => fetch(url)],
  ])('by %s is refused', async (_why, send) => {
    expect(await refused(send(uploadLink('refused', 8)))).toBe('403 SignatureDoesNotMatch');
    await expect(head('refused')).rejects.toMatchObject({ name: 'NotFound' });
  });

  test('is refused when its time is over', async () => {
    const url = uploadLink('late', 4);
    nowMs += 59_999;
    expect((await put(url, 'text')).status).toBe(200);
    nowMs += 1;
    expect(await refused(put(url, 'text'))).toBe('403 AccessDenied');
  });

  test('without a signature is refused, whatever it is for', async () => {
    const base = process.env.Stores__LinksUrl;
    for (const path of [`/${bucket}/a`, `/${bucket}`, '/', '/%E0%A4%A', `/${bucket}/..%2f..%2fstore.db`])
      expect(await refused(fetch(`${base}${path}`))).toMatch(/^(403 AccessDenied|404 NoSuchKey)$/);
  });

  //   sender  |--half of the file--|  the line goes dead
  test('that breaks off stores nothing', async () => {
    const url = uploadLink('broken', 1_000_000);
    const headers = { 'content-type': TYPE, 'content-length': 1_000_000 };
    const sending = httpRequest(url, { method: 'PUT', headers });
    const arrived = once(server, 'request');
    sending.on('error', () => undefined);
    sending.write(Buffer.alloc(500_000));
    await arrived;
    sending.destroy();
    await handled;
    await expect(head('broken')).rejects.toMatchObject({ name: 'NotFound' });
  });
});

describe('a download', () => {
  const content = Buffer.from(Array.from({ length: 300_000 }, (_, n) => n % 251));
  beforeAll(() => stored('large', content));
  const get = (headers: Record<string, string> = {}, method = 'GET') =>
    fetch(downloadLink('large'), { method, headers });

  test('has the bytes, the name and the tag, and is no page of this origin', async () => {
    const answer = await get();
    expect([answer.status, Object.fromEntries(answer.headers)]).toMatchObject([
      200,
      {
        'content-type': TYPE,
        'content-length': '300000',
        'content-disposition': 'attachment; filename="a.pdf"',
        'accept-ranges': 'bytes',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        etag: (await head('large')).ETag,
      },
    ]);
    expect(content.equals(await answer.bytes())).toBe(true);
  });

  test('is answered to HEAD without its bytes', async () => {
    const answer = await get({}, 'HEAD');
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '300000',
      '',
    ]);
  });

  test('in parts has them, and says which', async () => {
    const answer = await get({ range: 'bytes=100-199999' });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([206, 'bytes 100-199999/300000']);
    expect(content.subarray(100, 200_000).equals(await answer.bytes())).toBe(true);
    expect(await refused(get({ range: 'bytes=300000-' }))).toBe('416 InvalidRange');
  });

  test('that is resumed goes on only while the object is the same', async () => {
    const etag = (await head('large')).ETag ?? '';
    const range = 'bytes=299990-';
    expect((await get({ range, 'if-range': etag })).status).toBe(206);
    expect((await get({ range, 'if-range': '"other"' })).status).toBe(200);
  });

  test('of nothing, by a changed link or too late is refused', async () => {
    expect(await refused(fetch(downloadLink('nothing')))).toBe('404 NoSuchKey');
    const url = downloadLink('large');
    const inline = changed(url, 'response-content-disposition', 'inline');
    expect(await refused(fetch(inline))).toBe('403 SignatureDoesNotMatch');
    expect(await refused(put(url, 'text'))).toBe('403 SignatureDoesNotMatch');
    expect(await refused(fetch(url, { method: 'DELETE' }))).toBe('501 NotImplemented');
    nowMs += 60_000;
    expect(await refused(fetch(url))).toBe('403 AccessDenied');
  });

  test('is answered without the path of Stores:LinksUrl too, as behind a proxy that takes it away', async () => {
    expect((await fetch(downloadLink('large').replace('/links/', '/'))).status).toBe(200);
  });
});

describe('pages of other origins', () => {
  const rule = {
    AllowedOrigins: [ORIGIN],
    AllowedMethods: ['PUT'],
    ExposeHeaders: ['ETag'],
    MaxAgeSeconds: 60,
  };
  beforeAll(async () => {
    const CORSConfiguration = { CORSRules: [rule] };
    await store.s3.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration }));
  });
  const ask = (origin: string, method: string) =>
    fetch(uploadLink('page', 1), {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': method,
        'access-control-request-headers': 'content-type',
      },
    });

  test('may put when they are in the rules, and read the entity tag', async () => {
    const asked = await ask(ORIGIN, 'PUT');
    expect([asked.status, Object.fromEntries(asked.headers)]).toMatchObject([
      200,
      {
        'access-control-allow-origin': ORIGIN,
        'access-control-allow-methods': 'PUT',
        'access-control-allow-headers': 'content-type',
        'access-control-max-age': '60',
      },
    ]);
    const headers = { origin: ORIGIN, 'content-type': TYPE };
    const answer = await fetch(uploadLink('page', 1), { method: 'PUT', headers, body: 'x' });
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, ORIGIN]);
    expect(answer.headers.get('access-control-expose-headers')).toBe('ETag');
    const wrong = await fetch(uploadLink('page', 2), { method: 'PUT', headers, body: 'x' });
    expect([wrong.status, wrong.headers.get('access-control-allow-origin')]).toEqual([403, ORIGIN]);
  });

  test.each([
    ['another origin', 'https://evil.example', 'PUT'],
    ['another method', ORIGIN, 'DELETE'],
  ])('%s gets no consent', async (_, origin, method) => {
    const { status, headers } = await ask(origin, method);
    expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  test('get no consent when the rules are deleted', async () => {
    await store.s3.send(new DeleteBucketCorsCommand({ Bucket: bucket }));
    expect((await ask(ORIGIN, 'PUT')).status).toBe(403);
  });
});

test('every process of a folder takes the links of the others, and no other folder does', async () => {
  const folder = newFolder();
  const link = { bucket: 'files', key: 'a', disposition: 'inline', expiresSeconds: 60 };
  const now = () => START;
  const opened = [openObjects({ folder, now }), openObjects({ folder, now }), openObjects({ now })];
  onTestFinished(() => {
    for (const { close } of opened.toReversed()) close();
  });
  const made = opened.map(({ objects }) => objects.links.download(link));
  expect(made[0]).toBe(made[1]);
  expect(made[0]).not.toBe(made[2]);
});

test('no request without a valid signature is answered by anything but a refusal', async () => {
  await stored('secret', 'text');
  const { port } = server.address() as AddressInfo;
  const signed = new URL(downloadLink('secret'));
  const part = fc.oneof(
    fc.webPath(),
    fc.constantFrom('/', '//', '/..', '/links', `/${bucket}`, '/secret', '/%00', '/%ff'),
  );
  const query = fc.oneof(
    fc.webQueryParameters(),
    fc.string({ unit: fc.constantFrom(...signed.search), maxLength: 80 }).map(encodeURI),
    fc.nat(signed.search.length - 2).map((end) => signed.search.slice(1, end + 1)),
  );
  const method = fc.constantFrom('GET', 'HEAD', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'PATCH');
  const range = fc.string({ unit: fc.constantFrom('bytes=', '-', '0', '9', ',') });
  await fc.assert(
    fc.asyncProperty(
      method,
      fc.array(part, { maxLength: 4 }),
      query,
      range,
      async (verb, parts, search, header) => {
        const path = `/${parts.join('')}?${search}`;
        const sending = httpRequest({ port, method: verb, path, headers: { range: header, origin: ORIGIN } });
        sending.end();
        const [answer] = await once(sending, 'response');
        answer.resume();
        expect([403, 404, 501]).toContain(answer.statusCode);
        expect(await handled).toBeUndefined();
      },
    ),
    { numRuns: runs(300) },
  );
});

test('a store elsewhere has links of its own', async () => {
  const credentials = { accessKeyId: 'a', secretAccessKey: 'b' };
  const client = new S3Client({ region: 'us-east-1', endpoint: 'https://share.example', credentials });
  const link = { contentType: TYPE, length: 1, maxBytes: 1, expiresSeconds: 60 };
  const urlIn = async (owner: S3Client) => (await uploadUrl({ name: bucket, client: owner }, 'a', link)).url;
  expect(await urlIn(s3())).toContain(`${process.env.Stores__LinksUrl}${bucket}/a?issued=`);
  expect(await urlIn(client)).toMatch(/share\.example.*X-Amz-Signature=/);
});

test('a failure of the store is answered by 500 without its reason, and given to the host', async () => {
  const folder = newFolder();
  const own = openObjects({ folder });
  onTestFinished(own.close);
  await own.objects.run('CreateBucket', { Bucket: 'files' });
  writeFileSync(join(folder, 'content'), 'no folder');
  let failure: Promise<Error | undefined> | undefined;
  const failing = createServer((request, response) => {
    failure = own.objects.handle(request, response);
  });
  onTestFinished(() => void failing.close());
  failing.listen(0, '127.0.0.1');
  await once(failing, 'listening');
  const link = { bucket: 'files', key: 'a', contentType: TYPE, length: 4, expiresSeconds: 60 };
  const { port } = failing.address() as AddressInfo;
  const url = own.objects.links.upload(link).replace(/127\.0\.0\.1:\d+/, `127.0.0.1:${port}`);
  const answer = await put(url, 'text');
  expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('The request failed.')]);
  expect(await failure).toMatchObject({ code: 'ENOTDIR' });
});

test('no link is made without an address, and the error names the setting', () => {
  vi.stubEnv('Stores__LinksUrl', undefined);
  expect(() => uploadLink('a', 1)).toThrow('Stores:LinksUrl');
});
