import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { webFetch } from '../../../shared/net/web-fetch.ts';
import { forFile } from '../../runner/for-file.ts';
import { startServer } from './a-server.ts';

const seen: { readonly request: IncomingMessage; readonly body: string }[] = [];
const { url: root } = await forFile(
  startServer(async (request, response) => {
    seen.push({ request, body: await text(request) });
    if (request.url === '/hangs') return;
    if (request.url === '/moved') response.writeHead(302, { location: '/large' });
    if (request.url === '/empty') response.writeHead(204);
    if (request.url === '/cookies') response.setHeader('set-cookie', ['a=1', 'b=2']);
    if (request.url === '/large') response.write('x'.repeat(2_000));
    response.end(request.url === '/cookies' ? '{"found":true}' : undefined);
  }),
);
beforeEach(() => {
  vi.stubEnv('Network__AllowPrivateAddresses', 'true');
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const fetch = webFetch({ maxBytes: 1_000, timeoutMs: 200 });
const GET = { method: 'GET', headers: {} };

test('an answer is a Response with its status, headers and body', async () => {
  const answer = await fetch(`${root}/cookies`, GET);
  expect([answer.status, await answer.json()]).toEqual([200, { found: true }]);
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  expect((await fetch(`${root}/empty`, GET)).status).toBe(204);
});

test.each([
  ['a form', new URLSearchParams({ code: 'a b' }), 'code=a+b'],
  ['text', 'text', 'text'],
  ['bytes', new TextEncoder().encode('bytes'), 'bytes'],
  ['nothing', null, ''],
])('%s is sent as the body', async (_, body, sent) => {
  await fetch(`${root}/`, { method: 'POST', headers: { accept: 'application/json' }, body });
  expect(seen.at(-1)).toMatchObject({
    request: { method: 'POST', headers: { accept: 'application/json' } },
    body: sent,
  });
});

test('a redirect is an answer, and is not followed', async () => {
  const before = seen.length;
  const { status, headers } = await fetch(`${root}/moved`, GET);
  expect([status, headers.get('location'), seen.length - before]).toEqual([302, '/large', 1]);
});

test.each([
  ['larger than the limit', '/large', 'too-large'],
  ['later than the time-out', '/hangs', 'timed-out'],
])('an answer %s fails', async (_, path, reason) => {
  await expect(fetch(root + path, GET)).rejects.toMatchObject({ name: 'FetchFailed', reason });
});

test('a private address is not called unless the setting says so', async () => {
  vi.stubEnv('Network__AllowPrivateAddresses', 'false');
  await expect(fetch(`${root}/`, GET)).rejects.toMatchObject({ reason: 'private-address' });
});

test('the caller’s signal ends the call', async () => {
  const signal = AbortSignal.abort();
  await expect(fetch(`${root}/`, { ...GET, signal })).rejects.toMatchObject({ reason: 'aborted' });
});

test.each([
  ['a method', { method: 'DELETE', headers: {} }],
  ['a body', { method: 'POST', headers: {}, body: new ReadableStream() }],
])('%s that it does not know is refused', async (_, request) => {
  await expect(fetch(`${root}/`, request)).rejects.toThrow(TypeError);
});
