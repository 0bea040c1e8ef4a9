import { randomUUID } from 'node:crypto';
import { GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as getHealth } from '../../../../functions/compact/endpoints/get-health.ts';
import { handler as getReady } from '../../../../functions/compact/endpoints/get-ready.ts';
import { dynamo } from '../../../../shared/store/client.ts';
import { call } from '../../../http-event.ts';

const from = () => ({ address: randomUUID() });

afterEach(() => {
  vi.useRealTimers();
});

describe('the compact surface', () => {
  test('says that it is alive to anyone', async () => {
    const { status, json } = await call(getHealth, from());
    expect(status).toBe(200);
    expect(json()).toEqual({ healthy: true, status: 'Healthy' });
  });

  test('answers 200 to anyone while it is ready, and names each check without its detail', async () => {
    const { status, json } = await call(getReady, from());
    expect(status).toBe(200);
    expect(json()).toEqual({ ready: true, checks: [{ name: 'database', ok: true }] });
  });

  test('answers 503 naming the check that fails when the store does not answer', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 });
    const store = mockClient(dynamo());
    store.on(GetItemCommand).rejects(new Error('no answer from 10.1.2.3'));
    store.on(UpdateItemCommand).resolves({ Attributes: { hits: { N: '1' } } });
    const { status, json } = await call(getReady, from()).finally(() => store.restore());
    expect(status).toBe(503);
    expect(json()).toEqual({ ready: false, checks: [{ name: 'database', ok: false }] });
  });

  test('lets 60 requests a minute through from one address; the next gets 429 with Retry-After', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2027, 0, 1, 12, 0, 50) });
    const address = randomUUID();
    const calls = Array.from({ length: 60 }, () => call(getHealth, { address }));
    expect(new Set((await Promise.all(calls)).map(({ status }) => status))).toEqual(new Set([200]));
    const next = await call(getReady, { address });
    expect(next.status).toBe(429);
    expect(next.headers['retry-after']).toBe('10');
    expect(next.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(next.json()).toMatchObject({ code: 'rate-limited' });
  });
});
