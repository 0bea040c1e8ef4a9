import { afterEach, describe, expect, test, vi } from 'vitest';
import { authentications } from '../../../../functions/pki/authentication/domain/authentication.ts';
import { GUEST_KEY, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../infra/local/seed/seed.ts';
import { testPki } from '../../../certificates/pki.ts';
import { call } from '../../../requests/http-event.ts';
import { captureLog } from '../../session/captured-log.ts';
import { OPERATIONS } from './stage.ts';

const CONTEXT = '11111111-2222-4333-8444-555555555555';
const names = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[];

afterEach(() => vi.restoreAllMocks());

const pem = (): string =>
  `-----BEGIN CERTIFICATE-----\n${testPki().root.certificate.der.toString('base64')}\n-----END CERTIFICATE-----\n`;

const prepare = (headers: Record<string, string>, body = '{}') =>
  call(OPERATIONS.prepare, { body, headers: { 'X-API-Key': SANDBOX_KEY, ...headers } });

vi.stubEnv('SecurityContexts__PkiBrazil', pem());
await seedSandbox();

describe('every operation of certificate authentication', () => {
  test.each(names)('%s tells a missing key from a key that may not', async (name) => {
    const sent = {
      params: { token: 'x'.repeat(43) },
      method: OPERATIONS[name].declaration.route.split(' ')[0],
    };
    const request = { ...sent, method: String(sent.method) };
    expect((await call(OPERATIONS[name], request)).status).toBe(401);
    const guest = await call(OPERATIONS[name], { ...request, headers: { 'X-API-Key': GUEST_KEY } });
    expect([guest.status, guest.json()]).toMatchObject([403, { code: 'Forbidden' }]);
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'text/json',
    'application/json-patch+json',
    'application/vnd.acme.v1+json',
  ])('takes a body as %s', async (type) => {
    expect((await prepare({ 'Content-Type': type })).status).toBe(200);
  });

  test('takes no body of another type', async () => {
    const answer = await prepare({ 'Content-Type': 'application/xml' });
    expect([answer.status, answer.json()]).toMatchObject([415, { code: 'InvalidRequest' }]);
  });

  test.each([
    ['text/json', 200, '{}'],
    ['text/json', 400, '{'],
    ['text/json', 422, `{"securityContextId":"${CONTEXT}"}`],
    ['application/json', 200, '{}'],
  ])('answers %s where it is asked for, at %i', async (type, status, body) => {
    const answer = await prepare({ 'Content-Type': 'application/json', Accept: type }, body);
    expect([answer.status, answer.headers['content-type']]).toEqual([status, `${type}; charset=utf-8`]);
  });

  test('says the same in every language', async () => {
    const refused = (language: string) =>
      prepare(
        { 'Content-Type': 'application/json', 'Accept-Language': language },
        `{"securityContextId":"${CONTEXT}"}`,
      );
    const [english, ...others] = await Promise.all(['en-US', 'pt-BR', 'es-ES'].map(refused));
    expect(english?.json()).toEqual({
      code: 'SecurityContextNotFound',
      message: 'No security context by this id.',
      detail: `securityContextId: ${CONTEXT}`,
      details: { securityContextId: CONTEXT },
    });
    for (const { text } of others) expect(text).toBe(english?.text);
  });

  test('at 500 gives an exceptionCode that the log knows, and nothing of what failed', async () => {
    const log = captureLog();
    vi.spyOn(authentications, 'create').mockRejectedValue(new Error('the store is away'));
    const answer = await prepare({ 'Content-Type': 'application/json' });
    expect(answer.status).toBe(500);
    const { exceptionCode, ...rest } = answer.json() as { exceptionCode: string };
    expect(rest).toEqual({ message: 'Unexpected error. Give the exception code to support.' });
    log.restore();
    const told = log
      .text()
      .split('\n')
      .find((line) => line.includes(exceptionCode));
    expect(told).toContain('the store is away');
  });
});
