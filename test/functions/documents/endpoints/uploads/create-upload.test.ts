import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { uploads } from '../../../../../functions/documents/domain/uploads/upload.ts';
import { handler } from '../../../../../functions/documents/endpoints/uploads/create-upload.ts';
import { GUEST_KEY, ORGANIZATION_ID, SANDBOX_KEY } from '../../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../../infra/local/seed/seed.ts';
import { files } from '../../../../../shared/files/files.ts';
import { call, httpEvent, lambdaContext } from '../../../../requests/http-event.ts';
import { forFile } from '../../../../runner/for-file.ts';
import { ownStores } from '../../../own-stores.ts';
import { encodeForm, fileForm } from '../../file-form.ts';
import { storedFiles } from '../../stage/run-collection.ts';

type Shown = { id: string; name: string | null; contentType: string; size: number; digest: string };

const withKey = (headers: Record<string, string>) => ({ 'X-API-Key': SANDBOX_KEY, ...headers });

async function upload(...sent: readonly File[]) {
  const { body, headers } = await fileForm(...sent);
  return call(handler, { body, headers: withKey(headers) });
}

const keptBytes = ({ id }: Shown) => files('documents').read(`uploads/${id}`, 100_000_000);

await forFile(ownStores());
await seedSandbox();
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('POST /api/uploads', () => {
  test('keeps the bytes that were sent, and answers their size and MD5 digest', async () => {
    const content = randomBytes(70_000);
    const { status, json } = await upload(new File([content], 'contrato.pdf', { type: 'application/pdf' }));
    const shown = json() as Shown;
    expect(status).toBe(200);
    expect(shown).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name: 'contrato.pdf',
      contentType: 'application/pdf',
      size: content.length,
      digest: createHash('md5').update(content).digest('hex'),
      location: expect.stringMatching(/^\/api\/uploads\/[\da-f-]{36}\/content$/),
    });
    expect(content.equals((await keptBytes(shown)) ?? Buffer.alloc(0))).toBe(true);
    expect(await uploads.get(shown.id)).toMatchObject({ state: 'Received', organizationId: ORGANIZATION_ID });
  });

  test('refuses a field that is given twice with two values', async () => {
    const form = new FormData();
    form.append('name', 'contrato.pdf');
    form.append('name', 'recibo.pdf');
    form.append('file', new File(['bytes'], 'x'));
    const { body, headers } = await encodeForm(form);
    const { status, text } = await call(handler, { body, headers: withKey(headers) });
    expect([status, text]).toEqual([400, expect.stringContaining('may be given once')]);
  });

  test('takes a file while it arrives, in pieces of any size', async () => {
    const content = randomBytes(6_000_000);
    const { body, headers } = await fileForm(new File([content], 'grande.bin'));
    const event = httpEvent({ method: 'POST', headers: withKey(headers) });
    const result = await handler({ ...event, bodyStream: Readable.from(pieces(body)) }, lambdaContext());
    const shown = JSON.parse(result.body) as Shown;
    expect(result.statusCode).toBe(200);
    expect(shown).toMatchObject({ size: 6_000_000, digest: createHash('md5').update(content).digest('hex') });
    expect(content.equals((await keptBytes(shown)) ?? Buffer.alloc(0))).toBe(true);
  });

  test.each([
    ['Procuração – ação nº 7 😀.pdf', 'Procuração – ação nº 7 😀.pdf'],
    ['C:\\temp\\contrato.pdf', 'contrato.pdf'],
    ['../../etc/passwd', 'passwd'],
    ['a\u202Efdp.exe', 'afdp.exe'],
    ['con.pdf', '_con.pdf'],
  ])('keeps the name %j as %j', async (sent, kept) => {
    const { status, json } = await upload(new File(['x'], sent));
    expect(status).toBe(200);
    expect(json()).toMatchObject({ name: kept });
  });

  test.each(['before', 'after'])(
    'takes the name and the type of fields that stand %s the file',
    async (where) => {
      const form = new FormData();
      const file = new File(['%PDF-'], 'blob', { type: 'text/plain' });
      if (where === 'after') form.append('file', file);
      form.append('name', 'contrato.pdf');
      form.append('contentType', 'application/pdf');
      if (where === 'before') form.append('file', file);
      const { body, headers } = await encodeForm(form);
      const shown = (await call(handler, { body, headers: withKey(headers) })).json() as Shown;
      expect(shown).toMatchObject({ name: 'contrato.pdf', contentType: 'application/pdf', size: 5 });
      expect(await uploads.get(shown.id)).toMatchObject({ state: 'Received', name: 'contrato.pdf' });
    },
  );

  test('refuses an empty file with UploadEmpty', async () => {
    const { status, json } = await upload(new File([], 'vazio.pdf'));
    expect(status).toBe(422);
    expect(json()).toMatchObject({ code: 'UploadEmpty' });
  });

  test('refuses a form without a file with UploadEmpty, and keeps nothing', async () => {
    const before = await storedFiles();
    const form = new FormData();
    form.append('file', 'a field by that name');
    const { body, headers } = await encodeForm(form);
    const { status, json } = await call(handler, { body, headers: withKey(headers) });
    expect(status).toBe(422);
    expect(json()).toMatchObject({ code: 'UploadEmpty' });
    expect(await storedFiles()).toEqual(before);
  });

  test('refuses a file over Uploads:MaxBytes with 413 and both sizes, and leaves nothing in the bucket', async () => {
    vi.stubEnv('Uploads__MaxBytes', '1000');
    const before = await storedFiles();
    const { status, json } = await upload(new File([randomBytes(1001)], 'grande.bin'));
    expect(status).toBe(413);
    expect(json()).toMatchObject({
      code: 'InvalidRequest',
      details: { limitBytes: '1000', actualBytes: '1001' },
    });
    expect(await storedFiles()).toEqual(before);
  });

  test('takes a file of exactly Uploads:MaxBytes', async () => {
    vi.stubEnv('Uploads__MaxBytes', '1000');
    expect((await upload(new File([randomBytes(1000)], 'justo.bin'))).json()).toMatchObject({ size: 1000 });
  });

  test('refuses a form with more than one file, and answers 400', async () => {
    const { status, json } = await upload(new File(['a'], 'a.txt'), new File(['b'], 'b.txt'));
    expect(status).toBe(400);
    expect(json()).toMatchObject({ code: 'InvalidRequest', details: { field: 'files' } });
  });

  test('refuses any other media type with 415', async () => {
    const { status, json } = await call(handler, {
      body: 'x',
      headers: withKey({ 'content-type': 'text/plain' }),
    });
    expect(status).toBe(415);
    expect(json()).toMatchObject({ code: 'InvalidRequest', details: { mediaType: 'text/plain' } });
  });

  test('keeps nothing for a key that is scoped to no organization', async () => {
    const before = await storedFiles();
    const { body, headers } = await fileForm(new File(['x'], 'a.txt'));
    const { status, json } = await call(handler, { body, headers: { ...headers, 'X-API-Key': GUEST_KEY } });
    expect(status).toBe(422);
    expect(json()).toMatchObject({ code: 'OrganizationRequired' });
    expect(await storedFiles()).toEqual(before);
  });
});

function* pieces(body: Buffer): Generator<Buffer> {
  for (let at = 0, size = 1; at < body.length; at += size, size = (size * 7) % 60_013) {
    yield body.subarray(at, at + size);
  }
}
