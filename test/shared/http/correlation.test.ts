import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { handler as getHubUnknown } from '../../../functions/hub/endpoints/refuse-unknown-route.ts';
import { handler as getSessionStatus } from '../../../functions/session/endpoints/get-status.ts';
import { handler as getSessionUnknown } from '../../../functions/session/endpoints/refuse-unknown-route.ts';
import { handler as askHolder } from '../../../functions/session/endpoints/workstations/ask-holder.ts';
import { EMPTY, REDIRECT } from '../../../shared/http/declaration.ts';
import { empty, redirect } from '../../../shared/http/response/answer.ts';
import { call, httpEvent, lambdaContext, type Request } from '../../requests/http-event.ts';
import { logOf } from './log-of.ts';
import { errors, sample } from './sample.ts';

beforeEach(() => void vi.stubEnv('Log__Level', 'INFO'));
afterEach(() => void vi.unstubAllEnvs());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const endpoint = (run: () => Promise<unknown>) =>
  sample().endpoint(
    {
      route: 'GET /thing',
      summary: 'Thing',
      answers: { 200: z.object({ ok: z.boolean() }), 204: EMPTY, 302: REDIRECT },
      refuses: ['Refused'],
      access: 'public',
    },
    run as never,
  );

const answers: [name: string, handler: ReturnType<typeof endpoint>, status: number, request?: Request][] = [
  ['a value', endpoint(async () => ({ ok: true })), 200],
  ['an empty answer', endpoint(async () => empty(204)), 204],
  ['a redirect', endpoint(async () => redirect('https://example.com/')), 302],
  ['a refusal', endpoint(async () => Promise.reject(errors.refuse('Refused'))), 422],
  ['an unexpected failure', endpoint(async () => Promise.reject(new Error('lost'))), 500],
  ['a failure that is no error', endpoint(async () => Promise.reject(undefined)), 500],
  ['a missing key', getSessionStatus, 401],
  ['an unknown route', getSessionUnknown, 404, { path: '/session/v2/nothing' }],
  ['an unknown route of another service', getHubUnknown, 404],
];

test.each(answers)('%s carries the id of its log lines', async (_, handler, status, request = {}) => {
  const { result: answered, lines } = await logOf(() => call(handler, request));
  const id = answered.headers['x-correlation-id'];
  expect(answered.status).toBe(status);
  expect(id).toMatch(UUID);
  expect(lines.length).toBeGreaterThan(0);
  expect(new Set(lines.map(({ correlationId }) => correlationId))).toEqual(new Set([id]));
});

test.each(answers)(
  '%s carries the id of its caller, except where the contract has the server begin one',
  async (_, handler, status, request = {}) => {
    const isMinted = handler.service.name === 'session';
    const headers = { 'X-Correlation-Id': 'chosen-by-the-client' };
    const { result: answered, lines } = await logOf(() => call(handler, { ...request, headers }));
    expect(answered.status).toBe(status);
    if (!isMinted) return expect(answered.headers['x-correlation-id']).toBe('chosen-by-the-client');
    expect(answered.headers['x-correlation-id']).toMatch(UUID);
    expect(lines.at(-1)).toMatchObject({
      message: 'answered',
      correlationId: answered.headers['x-correlation-id'],
      callerCorrelationId: 'chosen-by-the-client',
    });
  },
);

test.each(['two, ids', 'x'.repeat(129), 'quebra\nde linha', ''])(
  'an id that cannot be carried on is replaced, and refuses nobody: %j',
  async (id) => {
    const headers = { 'X-Correlation-Id': id };
    const { result } = await logOf(() =>
      call(
        endpoint(async () => ({ ok: true })),
        { headers },
      ),
    );
    expect([result.status, result.headers['x-correlation-id']]).toEqual([200, expect.stringMatching(UUID)]);
  },
);

test('the session server takes the id of the services that ask for workstations', async () => {
  const headers = { 'X-Correlation-Id': 'of-the-platform' };
  const { result } = await logOf(() => call(askHolder, { method: 'POST', headers }));
  expect([result.status, result.headers['x-correlation-id']]).toEqual([401, 'of-the-platform']);
});

test('log lines name the request as the access log of the gateway does, and the trace of the caller', async () => {
  const event = httpEvent({
    headers: { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' },
  });
  Object.assign(event.requestContext, { requestId: 'of-the-gateway' });
  const { lines } = await logOf(() => endpoint(async () => ({ ok: true }))(event, lambdaContext()));
  expect(lines).toMatchObject([
    { gatewayRequestId: 'of-the-gateway', traceId: '0af7651916cd43dd8448eb211c80319c' },
  ]);
});

test('the line of a refused call has the code of the error, and that of an answered one has none', async () => {
  const codeOf = async (run: () => Promise<unknown>) =>
    (await logOf(() => call(endpoint(run), {}))).lines.find(({ message }) => message === 'answered')?.code;
  expect(await codeOf(() => Promise.reject(errors.refuse('Refused')))).toBe('Refused');
  expect(await codeOf(async () => ({ ok: true }))).toBeUndefined();
});

test('no two answers carry the same id', async () => {
  const all = () =>
    Promise.all(
      Array.from({ length: 50 }, async () => (await call(getSessionUnknown)).headers['x-correlation-id']),
    );
  const { result: ids } = await logOf(all);
  expect(new Set(ids).size).toBe(50);
});

test('every answer is for its caller alone and is what it says it is', async () => {
  for (const [, handler, , request] of answers) {
    const { result } = await logOf(() => call(handler, request));
    expect(result.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  }
});
