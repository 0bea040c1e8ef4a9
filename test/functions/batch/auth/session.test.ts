import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as logOut } from '../../../../functions/batch/auth/endpoints/log-out.ts';
import { handler as getState } from '../../../../functions/batch/pipeline/endpoints/get-pipeline-state.ts';
import { handler as pause } from '../../../../functions/batch/pipeline/endpoints/pause-pipeline.ts';
import { handler as resume } from '../../../../functions/batch/pipeline/endpoints/resume-pipeline.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { endpointFiles } from '../../../../infra/build/function-files.ts';
import { handlerOf } from '../../../../infra/invoke.ts';
import { isPublic } from '../../../../shared/http/declaration.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { requestsOf } from '../../../shared/store/requests.ts';
import { ownStores } from '../../own-stores.ts';
import { givenSession, withCookie } from './operator.ts';

const HOUR_MS = 3_600_000;
const OTHER_SITE = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' };
const INVALID = [401, { code: 'auth.invalid-credentials' }];

const readState = async (value: string, headers: Record<string, string> = {}) => {
  const { status, json } = await call(getState, withCookie(value, headers));
  return [status, json()];
};
const statusOf = async (value: string) => (await readState(value))[0];
const endSession = (value: string, headers: Record<string, string> = {}) =>
  call(logOut, { ...withCookie(value, headers), method: 'POST' });

await forFile(ownStores());
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe('the cookie of a session', () => {
  test('is as good as the key on every operation that asks for one', async () => {
    const value = await givenSession();
    const files = endpointFiles().filter(({ service }) => service === 'batch');
    const handlers = await Promise.all(
      files.map(async ({ name }) => (await handlerOf(`batch/${name}`)) as unknown as Endpoint),
    );
    const asking = handlers.filter(({ declaration }) => !isPublic(declaration.access ?? 'key'));
    expect(asking.length).toBeGreaterThan(3);
    for (const handler of asking) {
      const [method = ''] = handler.declaration.route.split(' ');
      const [known, unknown] = [
        await call(handler, { ...withCookie(value), method }),
        await call(handler, { method, address: randomUUID() }),
      ];
      expect([handler.declaration.route, known.status]).not.toEqual([handler.declaration.route, 401]);
      expect([handler.declaration.route, unknown.status]).toEqual([handler.declaration.route, 401]);
    }
  });

  test('acts as the operator', async () => {
    const value = await givenSession();
    await call(resume, { ...withCookie(value), method: 'POST' });
    const { status, json } = await call(pause, { ...withCookie(value), method: 'POST' });
    expect([status, json()]).toMatchObject([200, { pausedBy: 'operator' }]);
  });

  test('lasts Auth:CookieHours after its last use', async () => {
    const startMs = Date.UTC(2027, 0, 1, 8);
    vi.useFakeTimers({ toFake: ['Date'], now: startMs });
    const [used, unused] = [await givenSession(), await givenSession()];
    vi.setSystemTime(startMs + 7 * HOUR_MS);
    expect(await statusOf(used)).toBe(200);
    vi.setSystemTime(startMs + 8 * HOUR_MS);
    expect(await readState(unused)).toMatchObject(INVALID);
    vi.setSystemTime(startMs + 15 * HOUR_MS - 1);
    expect(await statusOf(used)).toBe(200);

    vi.stubEnv('Auth__CookieHours', '1');
    const short = await givenSession();
    vi.setSystemTime(startMs + 16 * HOUR_MS);
    expect(await statusOf(short)).toBe(401);
  });

  test('ends with the key that it was given for', async () => {
    const value = await givenSession();
    vi.stubEnv('Auth__ApiKey', 'a-new-operator-key');
    expect(await readState(value)).toMatchObject(INVALID);
    vi.stubEnv('Auth__ApiKey', '');
    expect(await readState(value)).toMatchObject([401, { code: 'auth.misconfigured' }]);
  });

  test('is refused when one character of it is another', async () => {
    const value = await givenSession();
    for (const at of [0, 21, 42]) {
      const other = value[at] === 'A' ? 'B' : 'A';
      expect(await readState(value.slice(0, at) + other + value.slice(at + 1))).toMatchObject(INVALID);
    }
    for (const text of ['', value.slice(1), `${value}A`, `"${value}`]) expect(await statusOf(text)).toBe(401);
  });

  test('is read from the cookie that Auth:CookieName names', async () => {
    const value = await givenSession();
    vi.stubEnv('Auth__CookieName', 'operator');
    expect(await statusOf(value)).toBe(401);
    const headers = { Cookie: `operator=${value}` };
    expect((await call(getState, { headers, address: randomUUID() })).status).toBe(200);
  });

  // Cookie tossing: another path or host of the domain may add one of the same name. Browsers send the longest path first.
  test('counts where it is the first of its name, in one header or in two', async () => {
    const value = await givenSession();
    const sent = async (Cookie: string | string[]) =>
      (await call(getState, { headers: { Cookie }, address: randomUUID() })).status;
    expect(await sent(`lbs-auth=${value}; lbs-auth=planted`)).toBe(200);
    expect(await sent(`lbs-auth=planted; lbs-auth=${value}`)).toBe(401);
    expect(await sent([`lbs-auth=${value}`, 'lbs-auth=planted'])).toBe(200);
    expect(await sent(`theme=dark; lbs-auth=${value}`)).toBe(200);
  });

  test.each([
    ['wrong', 'another-operator-key', 401],
    ['empty', '', 401],
    ['right', SANDBOX_KEY, 200],
  ])('does not count beside a key: one that is %s decides', async (_, key, status) => {
    const headers = { 'X-API-Key': key };
    expect((await readState(await givenSession(), headers))[0]).toBe(status);
    expect((await readState('planted', headers))[0]).toBe(status);
  });

  test('costs one read, and a key none', async () => {
    const value = await givenSession();
    const withKey = { headers: { 'X-API-Key': SANDBOX_KEY }, address: randomUUID() };
    // The first of an address in half an hour is written down.
    await call(getState, withKey);
    const byKey = await requestsOf(() => call(getState, withKey));
    const byCookie = await requestsOf(() => call(getState, withCookie(value)));
    expect(byCookie).toEqual({ ...byKey, GetItem: (byKey.GetItem ?? 0) + 1 });
  });
});

describe('a change that another site sent with the cookie', () => {
  const change = async (headers: Record<string, string>) => {
    const { status, json } = await call(resume, {
      ...withCookie(await givenSession(), headers),
      method: 'POST',
    });
    return [status, json()];
  };
  const REFUSED = [403, { code: 'auth.cross-origin' }];

  test.each([
    ['another site', OTHER_SITE],
    ['another port of the host', { 'Sec-Fetch-Site': 'same-site', Origin: 'http://localhost:9999' }],
    ['another site in an old browser', { Origin: 'https://evil.example' }],
    ['a frame without an origin in an old browser', { Origin: 'null' }],
  ])('is refused with auth.cross-origin: %s', async (_, headers) => {
    expect(await change(headers)).toMatchObject(REFUSED);
  });

  test.each([
    ['a page of the service', { 'Sec-Fetch-Site': 'same-origin', Origin: 'http://localhost:3000' }],
    ['a script with a cookie', {}],
    ['a page of another site, with the key', { ...OTHER_SITE, 'X-API-Key': SANDBOX_KEY }],
  ])('is none from %s', async (_, headers) => {
    expect((await change(headers))[0]).toBe(200);
  });

  test('does not tell whether the session lasts, reads no store and renews nothing', async () => {
    const requests = await requestsOf(async () => {
      const { status } = await call(resume, { ...withCookie('planted', OTHER_SITE), method: 'POST' });
      expect(status).toBe(403);
    });
    expect(requests).toEqual({});
  });

  test('is none where nothing is changed: a link of another site leads to a page', async () => {
    expect((await readState(await givenSession(), OTHER_SITE))[0]).toBe(200);
  });
});

describe('a logout', () => {
  test('ends the session on the server, clears the cookie and leads to the login page', async () => {
    const value = await givenSession();
    const { status, headers, cookies } = await endSession(value);
    expect([status, headers.location]).toEqual([303, '/batch/login']);
    expect(cookies).toEqual(['lbs-auth=; Max-Age=0; Path=/batch; HttpOnly; SameSite=Lax']);
    // Replay: whoever has kept the cookie has nothing.
    expect(await readState(value)).toMatchObject(INVALID);
    expect((await endSession(value)).status).toBe(303);
  });

  test('ends no other session', async () => {
    const [one, other] = [await givenSession(), await givenSession()];
    await endSession(one);
    expect(await statusOf(other)).toBe(200);
  });

  test('of somebody without a session leads to the login page too, and writes nothing but the count of its rate', async () => {
    const requests = await requestsOf(async () => {
      const { status, headers } = await call(logOut, { method: 'POST', address: randomUUID() });
      expect([status, headers.location]).toEqual([303, '/batch/login']);
    });
    expect(requests).toEqual({ UpdateItem: 1 });
  });

  test('that another site sent is refused, and leaves session and cookie as they are', async () => {
    const value = await givenSession();
    const refused = await endSession(value, OTHER_SITE);
    expect([refused.status, refused.json(), refused.cookies]).toMatchObject([
      403,
      { code: 'auth.cross-origin' },
      [],
    ]);
    const withoutCookie = await call(logOut, { method: 'POST', headers: OTHER_SITE, address: randomUUID() });
    expect([withoutCookie.status, withoutCookie.cookies]).toEqual([403, []]);
    expect(await statusOf(value)).toBe(200);
  });
});
