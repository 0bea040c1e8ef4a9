import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { call } from '../../requests/http-event.ts';
import { requestsOf } from '../store/requests.ts';
import { givenKey, sample, someAddress } from './sample.ts';

const keyed = sample().endpoint(
  { route: 'GET /keyed', summary: 'Keyed', answers: { 200: z.object({}) } },
  async () => ({}),
);
const LIMIT = 60;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 10, 14, 12, 0, 20) });
});
afterEach(() => {
  vi.useRealTimers();
});

const ask = (address: string, key?: string) =>
  call(keyed, { address, ...(key !== undefined && { headers: { 'X-API-Key': key } }) });

test('refused keys are counted by network: after 60 in a minute no key is compared, a right one included', async () => {
  const address = someAddress();
  const { text } = await givenKey('sandbox');
  for (let n = 0; n < LIMIT; n++) expect((await ask(address, `nobody|${n}`)).status).toBe(401);
  const guess = await ask(address, 'nobody|more');
  expect([guess.status, guess.headers['retry-after']]).toEqual([429, '40']);
  const sent = await requestsOf(async () => {
    expect((await ask(address, text)).status).toBe(429);
  });
  expect(sent).toEqual({});
  expect((await ask(someAddress(), text)).status).toBe(200);
  vi.setSystemTime(Date.UTC(2026, 10, 14, 12, 1, 0));
  expect((await ask(address, text)).status).toBe(200);
});

// Guesses at once: each is compared before the first is counted in the store.
test('of guesses that come at once no more than 60 are judged', async () => {
  const address = someAddress();
  const { text } = await givenKey('sandbox');
  const keys = [...Array.from({ length: 2 * LIMIT }, (_, n) => `nobody|${n}`), text];
  const statuses = (await Promise.all(keys.map((key) => ask(address, key)))).map(({ status }) => status);
  expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(LIMIT);
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(1);
  expect((await ask(address, text)).status).toBe(429);
});

test('another process learns of it by its first refused key', async () => {
  const address = someAddress();
  for (let n = 0; n < LIMIT; n++) await ask(address, `nobody|${n}`);
  const all = globalThis as unknown as Record<symbol, Map<string, unknown>>;
  for (const name of ['full-windows', 'window-hits']) all[Symbol.for(`sinete.${name}`)]?.clear();
  expect((await ask(address, 'nobody|more')).status).toBe(429);
});

test('a call without a key is no guess', async () => {
  const address = someAddress();
  for (let n = 0; n <= LIMIT; n++) expect((await ask(address)).status).toBe(401);
  expect((await ask(address, (await givenKey('sandbox')).text)).status).toBe(200);
});

test('a right key costs no request to the store beyond the one that finds it', async () => {
  const address = someAddress();
  const { text } = await givenKey('sandbox');
  const sent = await requestsOf(async () => {
    for (let n = 0; n < 5; n++) await ask(address, text);
  });
  expect(sent).toEqual({ GetItem: 1 });
});
