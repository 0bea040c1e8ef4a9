import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as getHealth } from '../../../../functions/batch/endpoints/get-health.ts';
import { handler as getReady } from '../../../../functions/batch/endpoints/get-ready.ts';
import { handler as getDetails } from '../../../../functions/batch/endpoints/get-ready-details.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { call } from '../../../http-event.ts';

const headers = { 'X-API-Key': SANDBOX_KEY };
let store: { restore(): void } | undefined;

/** An emulator always answers; the store of this test does not. */
function storeThatDoesNotAnswer() {
  const timeout = Object.assign(new Error('connect ETIMEDOUT 10.1.2.3:443'), { name: 'TimeoutError' });
  const mock = mockClient(dynamo());
  mock.on(GetItemCommand).rejects(timeout);
  store = mock;
}

beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});
afterEach(() => {
  store?.restore();
  vi.unstubAllEnvs();
});

describe('GET /api/health', () => {
  test('answers anyone, whatever the store does', async () => {
    storeThatDoesNotAnswer();
    const { status, json } = await call(getHealth);
    expect(status).toBe(200);
    expect(json()).toEqual({ healthy: true, status: 'Healthy' });
  });
});

describe('GET /api/ready', () => {
  test('answers 200 to anyone while the store answers, with no detail', async () => {
    const { status, json } = await call(getReady);
    expect(status).toBe(200);
    expect(json()).toEqual({ ready: true, checks: [{ name: 'database', ok: true }] });
  });

  test('answers 503 when the store does not answer, and tells nothing of how the host is built', async () => {
    storeThatDoesNotAnswer();
    const { status, json, text } = await call(getReady);
    expect(status).toBe(503);
    expect(json()).toEqual({ ready: false, checks: [{ name: 'database', ok: false }] });
    expect(text).not.toMatch(/detail|Timeout|10\.1\.2\.3/);
  });
});

describe('GET /api/ready/details', () => {
  test('asks for the key', async () => {
    const { status, json } = await call(getDetails);
    expect(status).toBe(401);
    expect(json()).toMatchObject({ code: 'auth.invalid-credentials' });
  });

  test('tells the holder of the key what each check saw', async () => {
    const { status, json } = await call(getDetails, { headers });
    expect(status).toBe(200);
    expect(json()).toEqual({
      ready: true,
      checks: [{ name: 'database', ok: true, detail: expect.any(String) }],
    });
  });

  test('answers 503 with the reason when the store does not answer', async () => {
    storeThatDoesNotAnswer();
    const { status, json } = await call(getDetails, { headers });
    expect(status).toBe(503);
    expect(json()).toMatchObject({
      ready: false,
      checks: [{ name: 'database', ok: false, detail: expect.stringContaining('TimeoutError') }],
    });
  });
});
