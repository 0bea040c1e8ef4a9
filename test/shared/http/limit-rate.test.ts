import { randomInt } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { handler as listJobs } from '../../../functions/compact/endpoints/list-jobs.ts';
import { call } from '../../requests/http-event.ts';
import { givenKey, sample, someAddress } from './sample.ts';

const WINDOW_START_MS = Date.UTC(2026, 10, 14, 12, 0, 0);
const limited = sample<'Few' | 'Others'>({
  rates: {
    Few: () => ({ limit: 3, windowSeconds: 60 }),
    Others: () => ({ limit: 1, windowSeconds: 10 }),
  },
});
const under = (rate: 'Few' | 'Others', access: 'key' | 'public' = 'public') =>
  limited.endpoint(
    { route: 'GET /few', summary: 'Few', answers: { 200: z.object({}) }, access, rate },
    async () => ({}),
  );
const few = under('Few');

const at = (seconds: number) => vi.setSystemTime(WINDOW_START_MS + seconds * 1000);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

test('as many calls as the limit pass, the next is told in seconds when the window ends', async () => {
  const address = someAddress();
  at(12);
  for (let n = 0; n < 3; n++) expect((await call(few, { address })).status).toBe(200);
  at(17.5);
  const refused = await call(few, { address });
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('43');
  expect(refused.json()).toMatchObject({ code: 'TooMany', details: { retryAfterSeconds: '43' } });
  at(59.99);
  expect((await call(few, { address })).headers['retry-after']).toBe('1');
});

test('an address that used up its window takes nothing from another', async () => {
  const address = someAddress();
  at(1);
  for (let n = 0; n < 4; n++) await call(few, { address });
  expect((await call(few, { address })).status).toBe(429);
  expect((await call(few, { address: someAddress() })).status).toBe(200);
});

test('the addresses of one IPv6 network are one', async () => {
  const network = `2001:db8:${randomInt(0xffff).toString(16)}:${randomInt(0xffff).toString(16)}`;
  at(1);
  for (let n = 1; n <= 3; n++) expect((await call(few, { address: `${network}::${n}` })).status).toBe(200);
  expect((await call(few, { address: `${network}:ffff::` })).status).toBe(429);
});

test('an address is the one the host saw, whatever the caller writes in its headers', async () => {
  const address = someAddress();
  at(1);
  const forwarded = (n: number) => ({
    'X-Forwarded-For': `198.51.100.${n}`,
    Forwarded: `for=198.51.100.${n}`,
  });
  for (let n = 0; n < 3; n++) await call(few, { address, headers: forwarded(n) });
  expect((await call(few, { address, headers: forwarded(9) })).status).toBe(429);
});

test('a caller without a key uses up nothing', async () => {
  const address = someAddress();
  at(1);
  const keyed = under('Others', 'key');
  for (let n = 0; n < 5; n++) expect((await call(keyed, { address })).status).toBe(401);
  const headers = { 'X-API-Key': (await givenKey('sandbox')).text };
  expect((await call(keyed, { address, headers })).status).toBe(200);
});

test('a changed setting holds from the next call on', async () => {
  const address = someAddress();
  at(1);
  vi.stubEnv('Auth__ApiKey', 'the-key-of-an-operator');
  vi.stubEnv('RateLimiting__PermitLimit', '1');
  expect((await call(listJobs, { address })).status).toBe(401);
  const refused = await call(listJobs, { address });
  expect(refused.status).toBe(429);
  expect(refused.json()).toMatchObject({ code: 'rate-limited', status: 429 });
  vi.stubEnv('RateLimiting__PermitLimit', '2');
  expect((await call(listJobs, { address })).status).toBe(401);
  expect((await call(listJobs, { address })).status).toBe(429);
  vi.stubEnv('RateLimiting__PermitLimit', '10');
  expect((await call(listJobs, { address })).status).toBe(401);
});
