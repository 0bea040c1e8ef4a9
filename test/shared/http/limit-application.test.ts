import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { commonSettings } from '../../../shared/settings/common.ts';
import { shareHeader } from '../../../shared/trace/share.ts';
import { type Answered, call } from '../../requests/http-event.ts';
import { requestsOf } from '../store/requests.ts';
import { logOf } from './log-of.ts';
import { givenKey, sample } from './sample.ts';

const limits = { callsPerMinute: 30_000, concurrency: 2, queueLimit: 3, waitMs: 60_000 };
const bounded = sample({ applicationLimits: () => limits });
const declaration = { summary: 'Hold', answers: { 200: z.object({}) } } as const;

let release: PromiseWithResolvers<void>;
let inside = 0;
const hold = bounded.endpoint({ ...declaration, route: 'POST /hold' }, async () => {
  inside += 1;
  await release.promise;
  inside -= 1;
  return {};
});
const pass = bounded.endpoint({ ...declaration, route: 'POST /pass' }, async () => ({}));

const holdForAnyone = bounded.endpoint(
  { ...declaration, route: 'POST /hold-for-anyone', access: { keyUnless: () => true } },
  async () => {
    inside += 1;
    await release.promise;
    return {};
  },
);

const newKey = async () => ({ 'X-API-Key': (await givenKey('sandbox')).text });
const statuses = (answers: Answered[]) => answers.map(({ status }) => status).sort();

beforeEach(() => {
  release = Promise.withResolvers();
  inside = 0;
  Object.assign(limits, { callsPerMinute: 30_000, concurrency: 2, queueLimit: 3, waitMs: 60_000 });
});

test('an application runs so many calls at once, so many more wait, and the next is told when to come', async () => {
  const headers = await newKey();
  const calls = Array.from({ length: 7 }, () => call(hold, { headers }));
  await expect.poll(() => inside).toBe(2);
  const [refused] = await Promise.all([Promise.race(calls)]);
  expect([refused.status, refused.json(), refused.headers['retry-after']]).toMatchObject([
    429,
    { code: 'Busy' },
    '1',
  ]);
  // Another one does not notice.
  expect((await call(pass, { headers: await newKey() })).status).toBe(200);
  release.resolve();
  expect(statuses(await Promise.all(calls))).toEqual([200, 200, 200, 200, 200, 429, 429]);
});

describe('while another application calls', () => {
  // Young calls stay young: only those compute.
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());
  const { signal: hangUp } = new AbortController();

  test.each([
    ['one call of each computes at a time, in a host that tells when a caller hangs up', { hangUp }, 1],
    ['calls are not held back where the host serves one at a time', {}, 2],
  ])('%s', async (_, told, computing) => {
    const [headers, others] = [await newKey(), await newKey()];
    await call(pass, { headers: others, ...told });
    const calls = Array.from({ length: 2 }, () => call(hold, { headers, ...told }));
    await expect.poll(() => inside).toBe(computing);
    // It is served beside them, and after its call as many are inside.
    expect((await call(pass, { headers: others, ...told })).status).toBe(200);
    expect(inside).toBe(computing);
    release.resolve();
    expect(statuses(await Promise.all(calls))).toEqual([200, 200]);
  });
});

describe('a host that calls itself for a caller', () => {
  const { signal: hangUp } = new AbortController();
  let ownKey: Record<string, string>;
  let callee = hold;
  let sent: Record<string, string>;
  const forward = bounded.endpoint({ ...declaration, route: 'POST /forward' }, async () => {
    sent = { ...ownKey, ...shareHeader(new URL(commonSettings['Http:PublicUrl'])) };
    expect((await call(callee, { headers: sent, hangUp })).status).toBe(200);
    return {};
  });
  beforeEach(async () => {
    ownKey = await newKey();
    callee = hold;
  });

  test('runs these calls in the share of the caller: one that is alone has all of it', async () => {
    const headers = await newKey();
    // The applications of earlier tests have been gone for long, and young calls stay young.
    const later = performance.now() + 60_000;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    const calls = Array.from({ length: 2 }, () => call(forward, { headers, hangUp }));
    await expect.poll(() => inside).toBe(2);
    release.resolve();
    expect(statuses(await Promise.all(calls))).toEqual([200, 200]);
  });

  afterEach(() => void vi.restoreAllMocks());

  test('has none of them wait behind its caller, however many calls of it wait', async () => {
    limits.concurrency = 1;
    callee = pass;
    const headers = await newKey();
    const calls = Array.from({ length: 4 }, () => call(forward, { headers, hangUp }));
    expect(statuses(await Promise.all(calls))).toEqual([200, 200, 200, 200]);
  });

  test('believes no mark of others, and none of another caller', async () => {
    callee = pass;
    const [headers, others] = [await newKey(), await newKey()];
    await call(forward, { headers, hangUp });
    const { 'x-sinete-share': mark = '' } = sent;
    const name = others['X-API-Key'].split('|')[0];
    limits.concurrency = 1;
    const holder = call(hold, { headers: others });
    await expect.poll(() => inside).toBe(1);
    const forged = call(pass, { headers: { ...others, 'x-sinete-share': `${mark.split(' ')[0]} ${name}` } });
    expect((await call(pass, { headers: { ...others, 'x-sinete-share': mark } })).status).toBe(200);
    expect(await Promise.race([forged, 'waits'])).toBe('waits');
    release.resolve();
    expect(statuses(await Promise.all([holder, forged]))).toEqual([200, 200]);
  });

  test('says nothing of it to others, and that nobody waits where no caller does', async () => {
    expect(shareHeader(new URL(commonSettings['Http:PublicUrl']))['x-sinete-share']).toMatch(/ -$/);
    let told = {};
    const elsewhere = bounded.endpoint({ ...declaration, route: 'POST /elsewhere' }, async () => {
      told = shareHeader(new URL('https://elsewhere.example'));
      return {};
    });
    await call(elsewhere, { headers: await newKey(), hangUp });
    expect(told).toEqual({});
  });
});

test('the line of an answered call says how long the limits held it back', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  vi.stubEnv('Log__Level', 'INFO');
  limits.concurrency = 1;
  const headers = await newKey();
  const { lines } = await logOf(async () => {
    const holder = call(hold, { headers });
    await expect.poll(() => inside).toBe(1);
    const held = call(pass, { headers });
    while ((await call(pass, { headers: await newKey() })).status !== 200) await turn();
    vi.advanceTimersByTime(70);
    release.resolve();
    await Promise.all([holder, held]);
  });
  vi.useRealTimers();
  vi.unstubAllEnvs();
  const waited = lines.filter(({ message }) => message === 'answered').map(({ waitedMs }) => waitedMs);
  expect(waited.toSorted()).toEqual([0, 0, 70]);
});

test('where no key is asked for, callers without one are bounded by their address', async () => {
  const calls = Array.from({ length: 2 }, () => call(holdForAnyone, { address: '203.0.113.7' }));
  await expect.poll(() => inside).toBe(2);
  const another = call(holdForAnyone, { address: '203.0.113.8' });
  await expect.poll(() => inside).toBe(3);
  release.resolve();
  expect(statuses(await Promise.all([...calls, another]))).toEqual([200, 200, 200]);
});

test('a caller that hangs up while it waits is dropped, and its place in the queue is free', async () => {
  limits.concurrency = 1;
  limits.queueLimit = 1;
  const headers = await newKey();
  const holder = call(hold, { headers });
  await expect.poll(() => inside).toBe(1);
  const caller = new AbortController();
  const gone = call(pass, { headers, hangUp: caller.signal });
  while ((await call(pass, { headers })).status !== 429) await turn();
  caller.abort();
  expect((await gone).status).toBe(429);
  const next = call(pass, { headers });
  release.resolve();
  expect(statuses(await Promise.all([holder, next]))).toEqual([200, 200]);
});

test('an application that calls too often is told when its minute is over, and another is served', async () => {
  limits.callsPerMinute = 20;
  const headers = await newKey();
  let served = 0;
  let answer = await call(pass, { headers });
  // Twice as many where a minute ends meanwhile.
  for (; answer.status === 200 && served < 50; served++) answer = await call(pass, { headers });
  expect([answer.status, answer.json()]).toMatchObject([429, { code: 'TooMany' }]);
  expect(served).toBeGreaterThanOrEqual(20);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  expect((await call(pass, { headers: await newKey() })).status).toBe(200);
});

test('the limits cost no call of the store', async () => {
  const headers = await newKey();
  expect(await requestsOf(() => call(pass, { headers }))).toEqual({ GetItem: 1 });
});
