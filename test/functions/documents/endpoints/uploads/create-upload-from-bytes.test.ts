import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler } from '../../../../../functions/documents/endpoints/uploads/create-upload-from-bytes.ts';
import { SANDBOX_KEY } from '../../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../../infra/local/seed/seed.ts';
import { files } from '../../../../../shared/files/files.ts';
import { call } from '../../../../requests/http-event.ts';

const send = (json: unknown, headers: Record<string, string> = {}) =>
  call(handler, {
    json,
    headers: { 'X-API-Key': SANDBOX_KEY, 'Content-Type': 'application/json', ...headers },
  });
const sendBytes = (content: Buffer) => send({ bytes: content.toString('base64') });

beforeAll(seedSandbox);
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('POST /api/uploads/bytes', () => {
  test('keeps the bytes, and answers id, size and MD5 digest', async () => {
    const content = randomBytes(4_321);
    const { status, json } = await sendBytes(content);
    expect(status).toBe(200);
    expect(json()).toEqual({
      id: expect.any(String),
      name: null,
      contentType: 'application/octet-stream',
      size: content.length,
      digest: createHash('md5').update(content).digest('hex'),
      location: expect.stringMatching(/^\/api\/uploads\/[\da-f-]{36}\/content$/),
    });
    const kept = await files('documents').read(`uploads/${(json() as { id: string }).id}`, 10_000);
    expect(kept?.equals(content)).toBe(true);
  });

  test('takes a request under application/json-patch+json too', async () => {
    const answer = await send({ bytes: 'eA==' }, { 'Content-Type': 'application/json-patch+json' });
    expect(answer.status).toBe(200);
  });

  test('refuses no bytes at all with UploadEmpty', async () => {
    const { status, json } = await sendBytes(Buffer.alloc(0));
    expect(status).toBe(422);
    expect(json()).toMatchObject({ code: 'UploadEmpty' });
  });

  test.each([[{}], [{ bytes: 'not base64!' }], [{ bytes: 7 }]])(
    'answers 400 naming bytes to %j',
    async (body) => {
      const { status, json } = await send(body);
      expect(status).toBe(400);
      expect(json()).toMatchObject({ code: 'InvalidRequest', details: { field: 'bytes' } });
    },
  );

  test('refuses a file over Uploads:MaxBytes with 413 and both sizes', async () => {
    vi.stubEnv('Uploads__MaxBytes', '1000');
    const { status, json } = await sendBytes(randomBytes(1001));
    expect(status).toBe(413);
    expect(json()).toMatchObject({
      code: 'InvalidRequest',
      details: { limitBytes: '1000', actualBytes: '1001' },
    });
  });

  test('refuses a body that can hold no acceptable file with 413, before it is read as JSON', async () => {
    vi.stubEnv('Uploads__MaxBytes', '1000');
    const { status, json } = await sendBytes(randomBytes(10_000));
    expect(status).toBe(413);
    expect(json()).toMatchObject({ code: 'InvalidRequest', details: { actualBytes: expect.any(String) } });
  });
});
