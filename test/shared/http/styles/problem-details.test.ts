import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { handler as unknownRoute } from '../../../../functions/batch/endpoints/refuse-unknown-route.ts';
import { handler as pausePipeline } from '../../../../functions/batch/pipeline/endpoints/pause-pipeline.ts';
import { batch } from '../../../../functions/batch/service.ts';
import { handler as unknownCompactRoute } from '../../../../functions/compact/endpoints/refuse-unknown-route.ts';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { call } from '../../../requests/http-event.ts';
import { logOf } from '../log-of.ts';
import { someAddress } from '../sample.ts';

const key = { 'X-API-Key': 'an-operator-key-of-the-tests' };

beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', key['X-API-Key']);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const post = batch.endpoint(
  {
    route: 'POST /api/thing',
    summary: 'Thing',
    body: jsonBody(z.object({ page: z.int().max(200) })),
    answers: { 200: z.object({}) },
  },
  async () => Promise.reject(new Error('cannot open C:\\keys\\operator.pfx')),
);
const path = '/batch/api/thing';

test('a refusal has every member of the problem, and both ids are the correlation id', async () => {
  const answered = await call(pausePipeline, {
    path: '/batch/api/pipeline/pause',
    headers: key,
    address: someAddress(),
    json: { reason: 'x'.repeat(513) },
  });
  const id = answered.headers['x-correlation-id'];
  expect(answered.status).toBe(400);
  expect(answered.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answered.json()).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    detail: 'The reason is too long. Nothing was changed: shorten it. maxCharacters: 512',
    instance: '/batch/api/pipeline/pause',
    code: 'validation.reason-too-long',
    traceId: id,
    requestId: id,
  });
});

test('a request that does not hold lists its fields under errors', async () => {
  const answered = await call(post, { path, headers: key, json: { page: 201 } });
  expect(answered.status).toBe(400);
  expect(answered.json()).toMatchObject({ code: 'request.invalid', errors: { page: [expect.any(String)] } });
});

test('outside the local stage neither detail nor instance is sent, and errors are', async () => {
  vi.stubEnv('STAGE', 'prod');
  const answered = await call(post, { path, headers: key, json: { page: 201 } });
  const id = answered.headers['x-correlation-id'];
  expect(answered.json()).toEqual({
    type: 'about:blank',
    title: 'Bad Request',
    status: 400,
    code: 'request.invalid',
    traceId: id,
    requestId: id,
    errors: { page: [expect.any(String)] },
  });
});

test('a wrong key and a missing one are the same 401; without a configured key it says so', async () => {
  const twice = [key['X-API-Key'], key['X-API-Key']];
  for (const offered of [[], 'wrong', key['X-API-Key'].slice(0, -1), twice]) {
    const answered = await call(post, { path, headers: { 'X-API-Key': offered }, json: {} });
    expect([answered.status, answered.json()]).toMatchObject([401, { code: 'auth.invalid-credentials' }]);
  }
  vi.stubEnv('Auth__ApiKey', '');
  for (const offered of ['', key['X-API-Key']]) {
    const answered = await call(pausePipeline, { headers: { 'X-API-Key': offered } });
    expect([answered.status, answered.json()]).toMatchObject([401, { code: 'auth.misconfigured' }]);
  }
});

test('the header that carries the operator key is a setting', async () => {
  vi.stubEnv('Auth__ApiKeyHeader', 'X-Operator');
  const json = { page: 'no number' };
  expect((await call(post, { path, headers: key, json })).status).toBe(401);
  expect((await call(post, { path, headers: { 'x-operator': key['X-API-Key'] }, json })).status).toBe(400);
});

test.each(['local', 'prod'])(
  'an unexpected failure is internal and nothing of its cause, at stage %s',
  async (stage) => {
    vi.stubEnv('STAGE', stage);
    const { result } = await logOf(() => call(post, { path, headers: key, json: { page: 1 } }));
    expect([result.status, result.json()]).toMatchObject([
      500,
      { code: 'internal', title: 'Internal Server Error' },
    ]);
    expect(result.text).not.toMatch(/pfx|keys|stack|Error:/);
  },
);

test('unknown routes of both surfaces are problems', async () => {
  for (const handler of [unknownRoute, unknownCompactRoute]) {
    const answered = await call(handler, { path: '/api/nothing' });
    expect(answered.status).toBe(404);
    expect(answered.json()).toMatchObject({ title: 'Not Found', code: 'route.not-found' });
  }
});
