import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { authentications } from '../../../../functions/pki/authentication/domain/authentication.ts';
import { handler } from '../../../../functions/pki/authentication/endpoints/get-authentication.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../infra/local/seed/seed.ts';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { call } from '../../../requests/http-event.ts';

const ask = (headers: Record<string, string> = {}) =>
  call(handler, { headers: { 'X-API-Key': SANDBOX_KEY, ...headers } });

async function aNonce(): Promise<string> {
  const { status, json } = await ask();
  expect(status).toBe(200);
  return (json() as { nonce: string }).nonce;
}

const kept = (nonce: string) => authentications.get({ handle: 'nonce', hash: hashSecret(nonce) });

beforeAll(seedSandbox);
afterEach(() => vi.unstubAllEnvs());

describe('GET /Api/Authentication', () => {
  test('answers a nonce of at least 16 random bytes, base64', async () => {
    const { status, json } = await ask();
    expect(status).toBe(200);
    expect(json()).toEqual({ nonce: expect.stringMatching(/^[A-Za-z0-9+/]+={0,2}$/) });
    const { nonce } = json() as { nonce: string };
    expect(Buffer.from(nonce, 'base64').length).toBeGreaterThanOrEqual(16);
  });

  test('answers another nonce every time', async () => {
    const given = await Promise.all(Array.from({ length: 25 }, aNonce));
    expect(new Set(given).size).toBe(25);
  });

  test('remembers the nonce until its lifetime is over, ten minutes by default', async () => {
    const before = Date.now();
    const stored = await kept(await aNonce());
    expect(stored).toMatchObject({ state: 'Given', application: 'sandbox', securityContextId: null });
    expect(stored?.expiresAtMs).toBeGreaterThanOrEqual(before + 600_000);
    expect(stored?.expiresAtMs).toBeLessThanOrEqual(Date.now() + 600_000);
  });

  test('gives it the lifetime that Authentication:NonceLifetime sets', async () => {
    vi.stubEnv('Authentication__NonceLifetime', '00:00:45');
    expect((await kept(await aNonce()))?.expiresAtMs).toBeLessThanOrEqual(Date.now() + 45_000);
  });

  test.each([
    ['application/json', 'application/json'],
    ['text/json', 'text/json'],
    ['*/*', 'application/json'],
  ])('to Accept: %s it answers %s', async (accept, mediaType) => {
    const { headers } = await ask({ Accept: accept });
    expect(headers['content-type']).toBe(`${mediaType}; charset=utf-8`);
  });
});
