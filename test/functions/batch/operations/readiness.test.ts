import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as getHealth } from '../../../../functions/batch/endpoints/get-health.ts';
import { handler as getReady } from '../../../../functions/batch/endpoints/get-ready.ts';
import { handler as getDetails } from '../../../../functions/batch/endpoints/get-ready-details.ts';
import { checkReadiness, withDetails } from '../../../../functions/batch/operations/domain/readiness.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { findUnreachable } from '../../../../shared/store/availability.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { recordStart } from '../../../../shared/store/start-check.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { ownStores } from '../../own-stores.ts';

const headers = { 'X-API-Key': SANDBOX_KEY };
// No secret is set, and that fails nothing.
const CHECKS = [
  { name: 'database', ok: true },
  { name: 'signer-notifications', ok: false },
  { name: 'signer-folder-sweep', ok: true },
  { name: 'cluster-instance', ok: true },
];
let store: { restore(): void } | undefined;

/** The embedded stores always answer; the store of this test does not. */
function storeThatDoesNotAnswer() {
  const timeout = Object.assign(new Error('connect ETIMEDOUT 10.1.2.3:443'), { name: 'TimeoutError' });
  const mock = mockClient(dynamo());
  mock.on(GetItemCommand).rejects(timeout);
  store = mock;
}

// The sandbox has a degraded profile; these stores have none.
await forFile(ownStores());
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
  recordStart({ unreachable: [] });
});
afterEach(() => {
  store?.restore();
  vi.unstubAllEnvs();
});

test('GET /api/health answers anyone, whatever the store does', async () => {
  storeThatDoesNotAnswer();
  const { status, json } = await call(getHealth);
  expect(status).toBe(200);
  expect(json()).toEqual({ healthy: true, status: 'Healthy' });
});

describe('GET /api/ready', () => {
  test('answers 200 to anyone while the store answers, with no detail', async () => {
    const { status, json } = await call(getReady);
    expect(status).toBe(200);
    expect(json()).toEqual({ ready: true, checks: CHECKS });
  });

  test('answers 503 when the store does not answer, and tells nothing of how the host is built', async () => {
    storeThatDoesNotAnswer();
    const { status, json, text } = await call(getReady);
    expect(status).toBe(503);
    expect(json()).toEqual({ ready: false, checks: [{ name: 'database', ok: false }] });
    expect(text).not.toMatch(/detail|Timeout|10\.1\.2\.3/);
  });
});

describe('Readiness:RequireApiKey', () => {
  test('puts readiness behind the key, still without details', async () => {
    vi.stubEnv('Readiness__RequireApiKey', 'true');
    expect((await call(getReady)).json()).toMatchObject({ status: 401, code: 'auth.invalid-credentials' });
    const { status, json } = await call(getReady, { headers });
    expect([status, json()]).toEqual([200, { ready: true, checks: CHECKS }]);
  });

  test('is off by default: a probe is answered even while no key is configured', async () => {
    vi.stubEnv('Auth__ApiKey', '');
    expect((await call(getReady)).status).toBe(200);
  });
});

describe('the check of the database', () => {
  test('is red for the life of an instance whose start found the store unreachable', async () => {
    recordStart({ unreachable: ['batch'] });
    const { status, json } = await call(getDetails, { headers });
    expect(status).toBe(503);
    expect(json()).toMatchObject({
      ready: false,
      checks: [{ name: 'database', ok: false, detail: expect.stringContaining('Restart') }],
    });
    expect((await call(getReady)).status).toBe(503);
  });

  test('is green again after an outage, also one that was there at the first check of a function', async () => {
    storeThatDoesNotAnswer();
    expect((await call(getReady)).status).toBe(503);
    store?.restore();
    expect((await call(getReady)).status).toBe(200);
  });

  test('of an instance is of its start: the host finds which stores do not answer then', async () => {
    expect(await findUnreachable(['batch', 'compact'])).toEqual([]);
    storeThatDoesNotAnswer();
    expect(await findUnreachable(['batch', 'compact'])).toEqual(['batch', 'compact']);
  });

  test("is of one service's store", async () => {
    recordStart({ unreachable: ['compact'] });
    expect((await checkReadiness('batch')).ready).toBe(true);
    expect((await checkReadiness('compact')).ready).toBe(false);
  });
});

describe('a degraded profile', () => {
  const degraded = async () => [{ name: 'remessas', reason: 'The key does not open.' }];

  test('is a check that is not ok and does not fail the response', async () => {
    expect(withDetails(await checkReadiness('batch', degraded))).toEqual({
      ready: true,
      checks: [
        { name: 'database', ok: true, detail: expect.any(String) },
        { name: 'signing-profile:remessas', ok: false, detail: 'The key does not open.' },
      ],
    });
  });

  test('is not looked for in a store that does not answer', async () => {
    storeThatDoesNotAnswer();
    const unread = () => Promise.reject(new Error('The profiles were read.'));
    expect((await checkReadiness('batch', unread)).checks.map(({ name }) => name)).toEqual(['database']);
  });
});

describe('GET /api/ready/details', () => {
  test('tells the holder of the key what each check saw', async () => {
    const { status, json } = await call(getDetails, { headers });
    expect(status).toBe(200);
    expect(json()).toEqual({
      ready: true,
      checks: CHECKS.map((check) => ({ ...check, detail: expect.any(String) })),
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
