import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { configuredKey } from '../../../shared/http/authentication/configured-key.ts';
import { call } from '../../requests/http-event.ts';
import { requestsOf } from '../store/requests.ts';
import { errors, givenKey, sample, someAddress } from './sample.ts';

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

/** What a process knows by itself, as another one does not. */
function forget(...names: readonly string[]): void {
  const all = globalThis as unknown as Record<symbol, Map<string, unknown>>;
  for (const name of names) all[Symbol.for(`sinete.${name}`)]?.clear();
}

const ask = (address: string, key?: string) =>
  call(keyed, { address, ...(key !== undefined && { headers: { 'X-API-Key': key } }) });

test('refused keys are counted by network: after 60 in a minute another one is told to come later', async () => {
  const address = someAddress();
  for (let n = 0; n < LIMIT; n++) expect((await ask(address, `nobody|${n}`)).status).toBe(401);
  const guess = await ask(address, 'nobody|more');
  expect([guess.status, guess.headers['retry-after']]).toEqual([429, '40']);
  expect((await ask(someAddress(), 'nobody|more')).status).toBe(401);
  vi.setSystemTime(Date.UTC(2026, 10, 14, 12, 1, 0));
  expect((await ask(address, 'nobody|more')).status).toBe(401);
});

test('wrong keys shut out no right one of their network, be it of the same application', async () => {
  const address = someAddress();
  const { text, application } = await givenKey('sandbox');
  for (let n = 0; n <= LIMIT; n++) await ask(address, `${application.name}|${n}`);
  expect((await ask(address, 'nobody|more')).status).toBe(429);
  expect((await ask(address, text)).status).toBe(200);
});

describe('of a key that people choose', () => {
  const KEY = 'a key that people chose';
  const operated = sample({
    authenticate: configuredKey({
      header: () => 'X-Operator-Key',
      key: () => KEY,
      misconfigured: () => errors.refuse('Refused'),
    }),
  }).endpoint(
    { route: 'GET /operated', summary: 'Operated', answers: { 200: z.object({}) } },
    async () => ({}),
  );
  const askAs = (address: string, key: string) =>
    call(operated, { address, headers: { 'X-Operator-Key': key } });
  const guess = async (address: string) => {
    for (let n = 0; n <= LIMIT; n++) await askAs(address, `guess ${n}`);
  };

  test('nothing more is compared over the limit, the right one included', async () => {
    const address = someAddress();
    for (let n = 0; n < LIMIT; n++) expect((await askAs(address, `guess ${n}`)).status).toBe(401);
    // One look for what other processes accepted from there, however many come.
    const sent = await requestsOf(async () => {
      for (const key of [KEY, 'guess', KEY]) expect((await askAs(address, key)).status).toBe(429);
    });
    expect(sent).toEqual({ BatchGetItem: 1 });
    expect((await askAs(someAddress(), KEY)).status).toBe(200);
  });

  test('the right one is let in by every process, whichever the network sent it to', async () => {
    const address = someAddress();
    await askAs(address, KEY);
    await guess(address);
    forget('accepted-keys');
    expect((await askAs(address, 'guess')).status).toBe(429);
    expect((await askAs(address, KEY)).status).toBe(200);
  });

  test('the right one is written down once in half an hour', async () => {
    const address = someAddress();
    const sent = await requestsOf(async () => {
      for (let n = 0; n < 5; n++) await askAs(address, KEY);
    });
    expect(sent).toEqual({ UpdateItem: 1 });
  });

  test('the right one is let in where the network sent it in the last hour', async () => {
    const address = someAddress();
    await askAs(address, KEY);
    await guess(address);
    expect((await askAs(address, KEY)).status).toBe(200);
    vi.setSystemTime(Date.UTC(2026, 10, 14, 12, 59, 0));
    await guess(address);
    expect((await askAs(address, KEY)).status).toBe(200);
    vi.setSystemTime(Date.UTC(2026, 10, 14, 14, 0, 40));
    await guess(address);
    expect((await askAs(address, KEY)).status).toBe(429);
  });

  // Guesses at once: each is compared before the first is counted in the store.
  test('of guesses that come at once no more than 60 are judged', async () => {
    const address = someAddress();
    const keys = [...Array.from({ length: 2 * LIMIT }, (_, n) => `guess ${n}`), KEY];
    const statuses = (await Promise.all(keys.map((key) => askAs(address, key)))).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(LIMIT);
    expect((await askAs(address, 'guess')).status).toBe(429);
  });
});

test('another process learns of it by its first refused key', async () => {
  const address = someAddress();
  for (let n = 0; n < LIMIT; n++) await ask(address, `nobody|${n}`);
  forget('full-windows', 'window-hits');
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
