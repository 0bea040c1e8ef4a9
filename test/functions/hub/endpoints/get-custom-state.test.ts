import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { beginSession } from '../../../../functions/hub/domain/session.ts';
import { handler } from '../../../../functions/hub/endpoints/get-custom-state.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { seedSandbox } from '../../../../infra/local/seed/seed.ts';
import { hashSecret } from '../../../../shared/access/secrets.ts';
import { call } from '../../../requests/http-event.ts';

const headers = { 'X-API-Key': SANDBOX_KEY };
const ask = (session: string) => call(handler, { headers, query: { session } });

const aSession = (customState: string | null, endsInMs = 300_000): Promise<string> =>
  beginSession(
    {
      application: 'sandbox',
      provider: 'alpha',
      type: 'SingleSignature',
      expiresAtMs: Date.now() + endsInMs,
    },
    { customState, accessToken: 'token' },
  );

beforeAll(seedSandbox);

describe('GET /api/sessions/custom-state', () => {
  test.each(['{"order":42}', '', 'Procuração nº 7 "x" <b> 😀'])(
    'answers the custom state %j as a JSON string, to the letter',
    async (customState) => {
      const { status, text, headers: sent } = await ask(await aSession(customState));
      expect(status).toBe(200);
      expect(sent['content-type']).toBe('application/json; charset=utf-8');
      expect(text).toBe(JSON.stringify(customState));
    },
  );

  test('answers null for a session that was created without one', async () => {
    const { status, text } = await ask(await aSession(null));
    expect(status).toBe(200);
    expect(text).toBe('null');
  });

  test('still answers it when the lifetime of the session is over', async () => {
    const { status, json } = await ask(await aSession('kept', -1));
    expect(status).toBe(200);
    expect(json()).toBe('kept');
  });

  test('refuses a session that the hub does not know with 422 SessionInvalidOrAlreadyUsed', async () => {
    const { status, json } = await ask(randomUUID());
    expect(status).toBe(422);
    expect(json()).toEqual({
      code: 'SessionInvalidOrAlreadyUsed',
      message: expect.any(String),
      details: null,
    });
  });

  test('does not take the hash that the store holds for the value', async () => {
    const value = await aSession('secret');
    expect((await ask(hashSecret(value))).status).toBe(422);
  });

  test('answers 400 with a validation problem that lists session when it is missing', async () => {
    const { status, json, headers: sent } = await call(handler, { headers });
    expect(status).toBe(400);
    expect(sent['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(json()).toMatchObject({ status: 400, errors: { session: ['is required'] } });
  });
});
