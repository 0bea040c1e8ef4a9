import { createHash } from 'node:crypto';
import { describe, expect, test, vi } from 'vitest';
import { removeFiles } from '../../../../functions/pki/domain/remove-files.ts';
import { handler as info } from '../../../../functions/pki/endpoints/get-system-info.ts';
import { FileReference } from '../../../../functions/pki/files/contract.ts';
import { blobFolder, blobs } from '../../../../functions/pki/files/domain/blob.ts';
import { receiveFile } from '../../../../functions/pki/files/domain/receive-file.ts';
import { handler as begin } from '../../../../functions/pki/files/endpoints/begin-multipart-upload.ts';
import { handler as complete } from '../../../../functions/pki/files/endpoints/complete-multipart-upload.ts';
import { handler as part } from '../../../../functions/pki/files/endpoints/upload-part.ts';
import { handler as plain } from '../../../../functions/pki/files/endpoints/upload-plain.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../infra/local/seed/seed.ts';
import { createApplication, issueKey } from '../../../../shared/access/administration.ts';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { files } from '../../../../shared/files/files.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { startServer } from '../../../shared/net/a-server.ts';
import { fileForm } from '../../documents/file-form.ts';

await seedSandbox();
const KEY = { 'X-API-Key': SANDBOX_KEY };
const caller = { application: 'sandbox', keyId: 'k', permissions: ['*'], registered: {} };
const nowMs = Date.now();
const DAY_MS = 86_400_000;
const md5 = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('base64');

/** A file of two parts, and a bit. */
const large = Buffer.alloc(4_194_304 + 5, 'contract ');
const PARTS = [large.subarray(0, 4_194_304), large.subarray(4_194_304)];

type Upload = { readonly blobToken: string; readonly partSize: number };

const beginning = async (): Promise<Upload> =>
  (await call(begin, { method: 'POST', headers: KEY })).json() as Upload;

const sending = (token: string, partNumber: number | string, body: Uint8Array, headers: object = KEY) =>
  call(part, { headers: { ...headers }, params: { token, partNumber: String(partNumber) }, body });

const completing = (token: string, json: unknown, headers: object = KEY) =>
  call(complete, { headers: { ...headers }, params: { token }, json });

async function uploaded(parts = PARTS) {
  const { blobToken } = await beginning();
  const partETags: string[] = [];
  for (const [number, bytes] of parts.entries())
    partETags.push(String((await sending(blobToken, number, bytes)).headers.etag));
  return { blobToken, partETags };
}

const received = (reference: object) => receiveFile(caller, FileReference.parse(reference), nowMs);
const refusedWith = (code: string, details: object = {}) =>
  expect.objectContaining({ code, details: expect.objectContaining(details) });

async function anotherKey(): Promise<Record<string, string>> {
  const name = `other-${Math.random().toString(36).slice(2)}`;
  await createApplication('pki', { name, permissions: ['*'] });
  return { 'X-API-Key': (await issueKey('pki', name)).text };
}

describe('an upload in one request', () => {
  test('is named by its token in a file reference, with its name and type', async () => {
    const asked = { ...KEY, 'Content-Type': 'text/plain' };
    const answer = (await call(plain, { headers: asked, body: Buffer.from('one') })).json() as Upload;
    expect(answer).toEqual({
      ...{ name: null, mimeType: 'text/plain', contentType: 'text/plain', length: 3 },
      ...{ blobToken: expect.stringMatching(/^[\w-]{43}$/), content: null, url: null, location: null },
    });
    expect(await received({ blobToken: answer.blobToken })).toMatchObject({
      bytes: Buffer.from('one'),
      contentType: 'text/plain',
    });

    const form = await fileForm(new File(['<a/>'], 'nota.xml', { type: 'application/xml' }));
    const fromForm = (await call(plain, { ...form, headers: { ...KEY, ...form.headers } })).json();
    expect(fromForm).toMatchObject({ name: 'nota.xml', mimeType: 'application/xml', length: 4 });
  });

  test('that is empty or too large is refused', async () => {
    const empty = await call(plain, { headers: KEY, body: Buffer.alloc(0) });
    expect(empty).toMatchObject({ status: 422 });
    expect(empty.json()).toMatchObject({ code: 'EmptyDocument' });
    vi.stubEnv('SignatureSessions__MaxDocumentBytes', '10');
    try {
      const over = await call(plain, { headers: KEY, body: Buffer.alloc(11) });
      expect(over.status).toBe(413);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('an upload in parts', () => {
  test('is one file of its parts in their order, once it is completed', async () => {
    const { blobToken, partETags } = await uploaded();
    await expect(received({ blobToken })).rejects.toEqual(refusedWith('InvalidToken'));
    const done = await completing(blobToken, { partETags, completeMD5: md5(large) });
    expect([done.status, done.bytes.length]).toEqual([200, 0]);
    expect((await received({ blobToken })).bytes.equals(large)).toBe(true);
    // The answer was lost, and the client asks again.
    expect((await completing(blobToken, { partETags, completeMD5: md5(large) })).status).toBe(200);
    expect((await sending(blobToken, 0, Buffer.from('x'))).json()).toMatchObject({ code: 'InvalidToken' });
  });

  test.each<[string, object, object]>([
    ['with the tags of other parts', { partETags: ['"x"', '"y"'] }, { partNumber: '0' }],
    ['with another MD5', { completeMD5: md5(Buffer.from('other')) }, { completeMD5: md5(large) }],
  ])('is refused %s, and can be completed after that', async (_, wrong, details) => {
    const { blobToken, partETags } = await uploaded();
    const refused = await completing(blobToken, { partETags, ...wrong });
    expect(refused.json()).toMatchObject({ code: 'BadDigest', details });
    expect((await completing(blobToken, { partETags, completeMD5: null })).status).toBe(200);
  });

  test('is not completed without a part, or beyond the largest file', async () => {
    const { blobToken, partETags } = await uploaded();
    const more = await completing(blobToken, { partETags: [...partETags, '"z"'] });
    expect(more.json()).toMatchObject({ code: 'BadDigest', details: { partNumber: '2' } });
    expect((await completing(blobToken, { partETags: [] })).status).toBe(400);
    expect((await completing(blobToken, {})).status).toBe(400);
    expect((await sending(blobToken, 3, Buffer.from('x'))).status).toBe(413);
    expect((await sending(blobToken, 0, Buffer.alloc(4_194_305))).status).toBe(413);
    expect((await sending(blobToken, -1, Buffer.from('x'))).status).toBe(400);
  });

  test('is of one application: to another its token names nothing, nor after its day', async () => {
    const { blobToken, partETags } = await uploaded([Buffer.from('one')]);
    const other = await anotherKey();
    for (const answer of [
      await completing(blobToken, { partETags }, other),
      await sending(blobToken, 0, Buffer.from('x'), other),
    ])
      expect(answer.json()).toMatchObject({ code: 'InvalidToken' });
    await completing(blobToken, { partETags });
    const foreign = { ...caller, application: 'another' };
    const reference = FileReference.parse({ blobToken });
    await expect(receiveFile(foreign, reference, nowMs)).rejects.toEqual(refusedWith('InvalidToken'));
    await expect(receiveFile(caller, reference, nowMs + DAY_MS + 60_000)).rejects.toEqual(
      refusedWith('InvalidToken'),
    );
  });

  test('that is killed at any write can be completed again, and is removed with everything in it', async () => {
    for (let write = 1; ; write++) {
      const { blobToken, partETags } = await uploaded([Buffer.from('one'), Buffer.from('two')]);
      const wasKilled = await killedAt(write, 'after', () => completing(blobToken, { partETags }));
      expect((await completing(blobToken, { partETags })).status).toBe(200);
      expect(String((await received({ blobToken })).bytes)).toBe('onetwo');
      const blob = await blobs.get(hashSecret(blobToken));
      await removeFiles(blobFolder(blob ?? expect.fail()));
      expect((await files('pki').list(blobFolder(blob ?? expect.fail()))).files).toEqual([]);
      if (!wasKilled) break;
    }
  });
});

describe('a file by its address', () => {
  const redirects = { moved: '', direct: 'the file' };
  const server = forFile(
    startServer((request, response) => {
      const name = request.url?.slice(1) as keyof typeof redirects;
      if (name === 'moved') response.writeHead(302, { location: '/direct' }).end();
      else if (name === 'direct') response.end(redirects.direct);
      else response.writeHead(404).end();
    }),
  );

  test.each<[string, string, object]>([
    ['that redirects', '/moved', { reason: 'status', status: 302 }],
    ['without a file', '/nothing', { reason: 'status', status: 404 }],
  ])('is refused %s', async (_, path, details) => {
    vi.stubEnv('Network__AllowPrivateAddresses', 'true');
    const { url } = await server;
    expect(String((await received({ url: `${url}/direct` })).bytes)).toBe('the file');
    expect(String((await received({ location: `${url}/direct` })).bytes)).toBe('the file');
    await expect(received({ url: url + path })).rejects.toEqual(refusedWith('FileDownloadFailed', details));
  });

  test.each<[string, string, string]>([
    ['by number', 'http://127.0.0.1:9/', 'private-address'],
    ['in the cloud that it runs in', 'http://169.254.169.254/latest/meta-data/', 'private-address'],
    ['by name', 'http://localhost:9/', 'private-address'],
    ['that no name server knows', 'http://nowhere.invalid/', 'name-not-found'],
    ['that is none of the web', 'file:///etc/passwd', 'bad-address'],
    ['with a password in it', 'http://user:secret@example.com/', 'bad-address'],
  ])('is refused at a machine %s', async (_, url, reason) => {
    vi.stubEnv('Network__AllowPrivateAddresses', 'false');
    const refusal = await received({ url }).catch((error: unknown) => error);
    expect(refusal).toEqual(refusedWith('FileDownloadFailed', { reason }));
    expect(JSON.stringify(refusal)).not.toContain('secret');
  });
});

describe('a file reference', () => {
  const CONTENT = Buffer.from('one').toString('base64');

  test.each<[string, object]>([
    ['absent', {}],
    ['null', { mimeType: null, blobToken: null, url: null, name: null, length: null, location: null }],
    ['at its default', { mimeType: '', blobToken: '', url: '', name: '', length: 0, contentType: '' }],
  ])('is taken with every other field %s', async (_, others) => {
    expect(await received({ content: CONTENT, ...others })).toEqual({
      ...{ bytes: Buffer.from('one'), name: null, contentType: '' },
    });
  });

  test.each<[string, object]>([
    ['no place', {}],
    ['an empty place', { content: '' }],
    ['two places', { content: CONTENT, url: 'http://example.com/' }],
    ['no base64', { content: '%' }],
    ['no media type', { content: CONTENT, mimeType: 'pdf' }],
    ['a length below zero', { content: CONTENT, length: -1 }],
    ['a name that is no text', { content: CONTENT, name: 1 }],
  ])('is malformed with %s', (_, reference) => {
    expect(FileReference.safeParse(reference).success).toBe(false);
  });

  test('of another length than it says is refused', async () => {
    await expect(received({ content: CONTENT, length: 4 })).rejects.toEqual(refusedWith('BadDigest'));
    expect((await received({ content: CONTENT, length: 3 })).bytes).toHaveLength(3);
  });
});

test('the version of the earlier generation is told to anyone', async () => {
  expect((await call(info, {})).json()).toEqual({ productVersion: '1.14.0' });
});
