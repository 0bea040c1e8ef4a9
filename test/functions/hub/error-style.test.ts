import { expect, test } from 'vitest';
import * as z from 'zod';
import { handler as getCustomState } from '../../../functions/hub/endpoints/get-custom-state.ts';
import { handler as unknownRoute } from '../../../functions/hub/endpoints/refuse-unknown-route.ts';
import { errors } from '../../../functions/hub/errors.ts';
import { hub } from '../../../functions/hub/service.ts';
import { jsonBody } from '../../../shared/http/body/reader.ts';
import { call } from '../../requests/http-event.ts';
import { logOf } from '../../shared/http/log-of.ts';
import { givenKey } from '../../shared/http/sample.ts';

const key = { 'X-Api-Key': (await givenKey('hub')).text };

const post = hub.endpoint(
  {
    route: 'POST /api/thing',
    summary: 'Thing',
    body: jsonBody(z.strictObject({ redirectUri: z.string(), lifetime: z.int().positive() })),
    answers: { 200: z.object({}) },
    refuses: ['UnauthorizedRedirectUri'],
  },
  async ({ body: { redirectUri } }) => {
    if (redirectUri === '') throw new Error('the provider said no');
    throw errors.refuse('UnauthorizedRedirectUri', { redirectUri });
  },
);
const body = { redirectUri: 'https://example.com/', lifetime: 300 };

test('a refusal is 422 with code, message and details', async () => {
  const answered = await call(post, { headers: key, json: body });
  expect(answered.status).toBe(422);
  expect(answered.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answered.json()).toEqual({
    code: 'UnauthorizedRedirectUri',
    message: errors.rows.UnauthorizedRedirectUri?.[1],
    details: { redirectUri: 'https://example.com/' },
  });
});

test('a refusal without details says null', async () => {
  const answered = await call(getCustomState, { headers: key, query: { session: 'nobody' } });
  expect(answered.status).toBe(422);
  expect(answered.json()).toEqual({
    code: 'SessionInvalidOrAlreadyUsed',
    message: errors.rows.SessionInvalidOrAlreadyUsed?.[1],
    details: null,
  });
});

test('a request that does not hold is a validation problem that lists every field', async () => {
  const answered = await call(post, { headers: key, json: { lifetime: -1 } });
  expect(answered.status).toBe(400);
  expect(answered.headers['content-type']).toBe('application/problem+json; charset=utf-8');
  expect(answered.json()).toEqual({
    type: 'about:blank',
    title: 'One or more fields are missing or malformed.',
    status: 400,
    errors: { redirectUri: ['is required'], lifetime: [expect.any(String)] },
  });
});

test('a field may be named like anything that every object has', async () => {
  for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
    const text = JSON.stringify(body).replace('{', `{${JSON.stringify(name)}:1,`);
    const answered = await call(post, {
      headers: { ...key, 'Content-Type': 'application/json' },
      body: text,
    });
    expect(answered.status).toBe(400);
    expect(Object.keys((answered.json() as { errors: object }).errors)).toEqual([name]);
  }
});

test('a key that is not accepted is 401 with nothing in it', async () => {
  const answered = await call(getCustomState, { query: { session: 'x' } });
  expect(answered.status).toBe(401);
  expect(answered.text).toBe('');
  expect(answered.headers).not.toHaveProperty('content-type');
});

test('an unexpected failure is a short code as a bare JSON string', async () => {
  const { result } = await logOf(() => call(post, { headers: key, json: { ...body, redirectUri: '' } }));
  expect(result.status).toBe(500);
  expect(result.text).toBe('"UnexpectedFailure"');
  expect(result.headers['content-type']).toBe('application/json; charset=utf-8');
});

test('an unknown route, a large body and another media type are code, message and details too', async () => {
  const nowhere = await call(unknownRoute, { path: '/api/nothing' });
  expect([nowhere.status, nowhere.json()]).toMatchObject([404, { code: 'EndpointNotFound' }]);

  const large = await call(post, { headers: key, json: { ...body, redirectUri: 'x'.repeat(1_048_576) } });
  expect([large.status, large.json()]).toMatchObject([
    413,
    {
      code: 'BodyTooLarge',
      details: { limitBytes: '1048576', actualBytes: expect.stringMatching(/^10486\d\d$/) },
    },
  ]);

  const other = await call(post, { headers: { ...key, 'Content-Type': 'application/xml' }, body: '<a/>' });
  expect([other.status, other.json()]).toMatchObject([415, { code: 'UnsupportedMediaType' }]);
});
