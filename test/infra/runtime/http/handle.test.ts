import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { clientReader } from '../../../../infra/runtime/http/client.ts';
import { createHandler } from '../../../../infra/runtime/http/handle.ts';
import { createRouter } from '../../../../infra/runtime/http/router.ts';
import type { HostEvent } from '../../../../shared/http/call.ts';

type Result = Promise<object | undefined>;

const echo = (name: string) => async (event: HostEvent) => ({
  statusCode: 200,
  headers: { 'x-name': name, 'x-correlation-id': 'its own' },
  body: JSON.stringify({
    name,
    params: event.pathParameters,
    headers: event.headers,
    body: event.body,
    sent: event.bodyStream
      ? await new Response(Readable.toWeb(event.bodyStream) as ReadableStream).text()
      : null,
  }),
});

/** By the names of their routes below. */
const functions: Readonly<Record<string, (event: HostEvent) => Result>> = {
  get: echo('get'),
  greedy: echo('greedy'),
  refuse: echo('refuse'),
  home: echo('home'),
  nothing: async () => undefined,
  failed: () => Promise.reject(new Error('a secret of the function')),
  late: () => new Promise(() => undefined),
  text: async () => ({ statusCode: 200, body: 'whole' }),
};

const ROUTES = [
  ['ANY', 'session/v1/{id}', 'get'],
  ['ANY', 'session/all/{path+}', 'greedy'],
  ['ANY', 'session/{proxy+}', 'refuse'],
  ['ANY', 'sandbox', 'home'],
  ...['nothing', 'failed', 'late', 'text'].map((key) => ['ANY', `session/${key}`, key]),
];
const TIMEOUT_MS = 40_000;

const reported: string[] = [];
const handle = createHandler({
  stage: 'local',
  find: createRouter(
    ROUTES.map(([method = '', path = '', key = '']) => ({ method, path, key, timeoutMs: TIMEOUT_MS })),
  ),
  load: async (key) => functions[key] as never,
  clientOf: clientReader([]),
  report: (message, { error }) => void reported.push(`${message}: ${(error as Error).message}`),
  home: '/sandbox',
});
const server = createServer(handle);
let port: number;

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
});
afterEach(() => {
  vi.useRealTimers();
  reported.length = 0;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

type Sent = { method?: string; headers?: Record<string, string>; body?: string };

/** As it is written: fetch() would make another path of some of these. */
async function ask(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const call = request({ host: '127.0.0.1', port, path, method, headers, agent: false });
  const [answer] = await once(call.end(body), 'response');
  const text: string = await new Response(Readable.toWeb(answer) as ReadableStream).text();
  return { status: answer.statusCode, headers: answer.headers, text, json: () => JSON.parse(text) };
}

const UUID = /^[0-9a-f-]{36}$/;

describe('a request', () => {
  test.each([
    ['/session/v1/%2531', { id: '%2531' }],
    ['/session/v1/a%2Fb', { id: 'a%2Fb' }],
    ['/session/all/a%2520b/c', { path: 'a%2520b/c' }],
  ])('for %s has the parameters %j', async (path, params) => {
    expect((await ask(path)).json().params).toEqual(params);
  });

  test.each(['application/pdf', 'application/json', 'text/plain', 'multipart/form-data', 'garbage', ';;'])(
    'with a body of type "%s" leaves it to the function to judge, as it flows',
    async (type) => {
      const sent = { method: 'POST', body: '{"as": it is', headers: { 'content-type': type } };
      const { name, body, sent: read, headers } = (await ask('/session/x', sent)).json();
      expect([name, body, read, headers['content-type']]).toEqual(['refuse', null, '{"as": it is', type]);
    },
  );

  test('by HEAD goes where GET goes, and has no body', async () => {
    const answer = await ask('/session/v1/1', { method: 'HEAD' });
    expect([answer.headers['x-name'], answer.text]).toEqual(['get', '']);
  });

  test('by OPTIONS goes to the function like any other, and gets no CORS header that the function did not give', async () => {
    const headers = { origin: 'http://elsewhere', 'access-control-request-method': 'GET' };
    const answer = await ask('/session/v1/1', { method: 'OPTIONS', headers });
    expect(answer.headers['x-name']).toBe('get');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('for a range gets the whole: functions answer ranges', async () => {
    const answer = await ask('/session/text', { headers: { range: 'bytes=0-1' } });
    expect([answer.status, answer.text]).toEqual([200, 'whole']);
    expect(answer.headers).not.toHaveProperty('accept-ranges');
  });

  test('that names a proxy reaches the function with its own address alone', async () => {
    const headers = { 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9', other: 'x' };
    const seen = (await ask('/session/v1/1', { headers })).json().headers;
    expect(seen).toMatchObject({ 'x-forwarded-for': '127.0.0.1', other: 'x' });
    expect(seen).not.toHaveProperty('forwarded');
  });

  test.each(['/', '/?lang=pt-BR'])('for %s gets the home page', async (path) => {
    expect((await ask(path)).json().name).toBe('home');
  });
});

describe('an answer that no function gave', () => {
  test.each([
    ['nothing', /^request failed: The function nothing gave no answer\.$/],
    ['failed', /^request failed: a secret of the function$/],
  ])('of one that answers %s is one that failed, in the style of its service', async (path, logged) => {
    const answer = await ask(`/session/${path}`);
    expect(answer.status).toBe(500);
    expect(answer.json()).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    expect(answer.text).not.toContain('secret');
    expect(answer.headers['x-correlation-id']).toMatch(UUID);
    expect(reported).toEqual([expect.stringMatching(logged)]);
  });

  test('is given for a function that is late', async () => {
    // Node's own timers go on: this clock is of setTimeout() alone.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const answer = ask('/session/late');
    await vi.waitUntil(() => vi.getTimerCount() > 0, { timeout: 5_000 });
    await vi.advanceTimersByTimeAsync(TIMEOUT_MS + 2_000);
    vi.useRealTimers();
    expect((await answer).json()).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    expect(reported).toEqual(['request failed: The function late has not answered within 40 s.']);
  });

  test('refuses a path that cannot be decoded, in the style of the service', async () => {
    const answer = await ask('/session/%ff');
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ error: { code: 'INVALID_REQUEST' } });
    expect(answer.headers['x-correlation-id']).toMatch(UUID);
  });

  test.each([
    ['/elsewhere', 404],
    ['//evil:99999/../../session/v1/1', 404],
    ['/\\evil:99999/../../session/v1/1', 404],
    ['//session/v1/1', 404],
    ['/%ff', 404],
  ])('says that no service is at %s', async (path, status) => {
    const answer = await ask(path);
    expect(answer.status).toBe(status);
    expect(answer.json()).toEqual({
      message: 'No service is at this path. The home page at / lists the services.',
    });
    expect(answer.headers['x-correlation-id']).toMatch(UUID);
    // This stage is not behind https.
    expect(answer.headers).not.toHaveProperty('strict-transport-security');
  });
});
