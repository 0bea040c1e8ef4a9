import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { makeAuthority } from '../../../../functions/sandbox/authority/domain/make-authority.ts';
import { CALLBACK, clientOf } from './a-client.ts';

const alpha = clientOf('alpha');
const beta = clientOf('beta');

await makeAuthority('http://localhost:3000', Date.now());
afterEach(() => {
  vi.useRealTimers();
});
/** The clock moves, and timers go on. */
const later = (seconds: number) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + seconds * 1000 });
};

describe('a token for a code', () => {
  test.each([
    ['alpha', alpha, 'CPF', '52998224725'],
    ['beta', beta, 'CNPJ', '11222333000181'],
  ] as const)(
    'says at %s how long it is good, for what and for whom',
    async (_, client, type, identifier) => {
      const { status, headers, json } = await client.exchange({ code: await client.code() });
      expect(status).toBe(200);
      expect(headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
      expect(json()).toEqual({
        access_token: expect.stringMatching(/^[\w-]{43}$/),
        token_type: 'Bearer',
        expires_in: 300,
        scope: 'signature_session',
        authorized_identification_type: type,
        authorized_identification: identifier,
      });
    },
  );

  test.each([
    ['seven days to a person', alpha, 604_800],
    ['thirty to a company', beta, 2_592_000],
  ] as const)('is granted for at most %s', async (_, client, seconds) => {
    expect(await client.token({ lifetime: '99999999' })).toMatchObject({ expires_in: seconds });
    expect(await client.token({ lifetime: '42' })).toMatchObject({ expires_in: 42 });
  });

  test.each([
    ['alpha takes a form', alpha, 'json'],
    ['beta takes JSON', beta, 'form'],
  ] as const)('%s, and nothing else', async (_, client, sentAs) => {
    const { status, json } = await client.exchange({ code: await client.code() }, sentAs);
    expect(status).toBe(415);
    expect(json()).toMatchObject({ error: 'invalid_request' });
  });

  test.each<[string, number, Record<string, string | undefined>]>([
    ['invalid_client', 401, { client_id: 'another' }],
    ['invalid_client', 401, { client_secret: 'another' }],
    ['unsupported_grant_type', 400, { grant_type: 'password' }],
    ['invalid_request', 400, { grant_type: undefined }],
    ['invalid_request', 400, { client_secret: undefined }],
    ['invalid_request', 400, { code: '' }],
    ['invalid_request', 400, { code_verifier: undefined }],
    ['invalid_request', 400, { redirect_uri: undefined }],
    ['invalid_grant', 400, { code: 'unknown' }],
    ['invalid_grant', 400, { redirect_uri: `${CALLBACK}?x` }],
    ['invalid_grant', 400, { code_verifier: randomBytes(32).toString('base64url') }],
    ['invalid_grant', 400, { code_verifier: 'short' }],
  ])('is refused as %s %i: %j', async (error, status, changed) => {
    const code = await alpha.code();
    const answer = await alpha.exchange({ code, ...changed });
    expect([answer.status, answer.json()]).toEqual([
      status,
      { error, error_description: expect.any(String) },
    ]);
    // What was wrong did not cost the code.
    expect((await alpha.exchange({ code })).status).toBe(200);
  });

  test('is refused to the challenge itself, which is no verifier', async () => {
    const challenge = randomBytes(32).toString('base64url');
    const code = await alpha.code({ code_challenge: challenge });
    expect((await alpha.exchange({ code, code_verifier: challenge })).json()).toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('is refused at another provider than the code is of', async () => {
    const { json } = await beta.exchange({ code: await alpha.code(), code_verifier: alpha.verifier });
    expect(json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('is refused a minute after the decision', async () => {
    const code = await alpha.code();
    later(60);
    expect((await alpha.exchange({ code })).json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('is good no more once its code comes again', async () => {
    const code = await alpha.code();
    const { access_token: token } = (await alpha.exchange({ code })).json() as { access_token: string };
    expect((await alpha.certificates(token)).status).toBe(200);
    expect((await alpha.exchange({ code })).json()).toMatchObject({ error: 'invalid_grant' });
    expect((await alpha.certificates(token)).status).toBe(401);
  });

  // one    |--reads Issued---- redeemed, token made ----|
  // others   |--read Issued---- refused, and what the first got is revoked --|
  test('is had by at most one of many who send the code at once, and is good for nobody then', async () => {
    const code = await alpha.code();
    const answers = await Promise.all(Array.from({ length: 8 }, () => alpha.exchange({ code })));
    const tokens = answers.flatMap(({ json }) => (json() as { access_token?: string }).access_token ?? []);
    expect(tokens).toHaveLength(1);
    for (const token of tokens) expect((await alpha.certificates(token)).status).toBe(401);
  });

  test('ends when its lifetime does', async () => {
    const { access_token: token } = await alpha.token({ lifetime: '100' });
    later(50);
    expect((await alpha.certificates(token)).status).toBe(200);
    later(50);
    const { status, headers, json } = await alpha.certificates(token);
    expect([status, json()]).toEqual([
      401,
      { error: 'invalid_token', error_description: expect.any(String) },
    ]);
    expect(headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  });
});

describe('a token of an application', () => {
  test('is given for the client’s secret', async () => {
    const { status, json } = await beta.clientToken();
    expect(status).toBe(200);
    expect(json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
    });
  });

  test.each<[string, Record<string, string | undefined>]>([
    ['invalid_client', { client_secret: 'another' }],
    ['unsupported_grant_type', { grant_type: 'authorization_code' }],
    ['invalid_request', { client_id: undefined }],
  ])('is refused as %s: %j', async (error, changed) => {
    expect((await beta.clientToken(changed)).json()).toMatchObject({ error });
  });

  test('opens nothing of a holder', async () => {
    const { access_token: token } = (await beta.clientToken()).json() as { access_token: string };
    expect((await beta.certificates(token)).json()).toMatchObject({ error: 'insufficient_scope' });
  });
});
