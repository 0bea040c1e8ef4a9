import { expect, test } from 'vitest';
import * as z from 'zod';
import { handler as getHubUnknown } from '../../../functions/hub/endpoints/refuse-unknown-route.ts';
import { handler as getSessionStatus } from '../../../functions/session/endpoints/get-status.ts';
import { handler as getSessionUnknown } from '../../../functions/session/endpoints/refuse-unknown-route.ts';
import { EMPTY, REDIRECT } from '../../../shared/http/declaration.ts';
import { empty, redirect } from '../../../shared/http/response/answer.ts';
import { call, type Request } from '../../http-event.ts';
import { logOf } from './log-of.ts';
import { errors, sample } from './sample.ts';

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

test.each(answers)('%s carries an id that the server minted', async (_, handler, status, request = {}) => {
  const own = { 'X-Correlation-Id': 'chosen-by-the-client', 'x-correlation-id': 'again' };
  const { result: answered } = await logOf(() => call(handler, { ...request, headers: own }));
  expect(answered.status).toBe(status);
  expect(answered.headers['x-correlation-id']).toMatch(UUID);
});

test('no two answers carry the same id', async () => {
  const ids = await Promise.all(
    Array.from({ length: 50 }, async () => (await call(getSessionUnknown)).headers['x-correlation-id']),
  );
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
