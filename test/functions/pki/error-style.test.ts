import { expect, test } from 'vitest';
import * as z from 'zod';
import { handler as getAuthentication } from '../../../functions/pki/authentication/endpoints/get-authentication.ts';
import { handler as unknownRoute } from '../../../functions/pki/endpoints/refuse-unknown-route.ts';
import { errors } from '../../../functions/pki/errors.ts';
import { pki } from '../../../functions/pki/service.ts';
import { jsonBody } from '../../../shared/http/body/reader.ts';
import { call } from '../../requests/http-event.ts';
import { logOf } from '../../shared/http/log-of.ts';
import { givenKey } from '../../shared/http/sample.ts';

const key = { 'X-Api-Key': (await givenKey('pki')).text };
const guest = { 'X-Api-Key': (await givenKey('pki', { permissions: [] })).text };

const post = pki.endpoint(
  {
    route: 'POST /api/thing',
    summary: 'Thing',
    body: jsonBody(z.object({ token: z.string(), nonce: z.string() })),
    answers: { 200: z.object({}) },
    refuses: ['DocumentNotFound'],
  },
  async ({ body }) => {
    if (body.token === '') throw new Error('table sinete-local-pki is on fire');
    throw errors.refuse('DocumentNotFound', { documentId: 7 });
  },
);

test('a refusal is an ErrorModelV2 whose details are texts, and one text', async () => {
  const answered = await call(post, { headers: key, json: { token: 'a', nonce: 'b' } });
  expect(answered.status).toBe(422);
  expect(answered.json()).toEqual({
    code: 'DocumentNotFound',
    message: 'No document by this id.',
    detail: 'documentId: 7',
    details: { documentId: '7' },
  });
});

test('a request that does not hold is a 400 that tells each field, in the message too', async () => {
  const answered = await call(post, { headers: key, json: {} });
  expect(answered.status).toBe(400);
  expect(answered.json()).toEqual({
    code: 'InvalidRequest',
    message: 'The request is malformed: token is required; nonce is required.',
    detail: 'token is required; nonce is required',
    details: { field: 'token', reason: 'is required' },
  });
});

test('a missing key is 401; a valid one whose application lacks the permission is 403', async () => {
  const missing = await call(getAuthentication);
  expect([missing.status, missing.json()]).toEqual([
    401,
    { code: 'Unauthorized', message: 'The API key is missing or invalid.', detail: null, details: null },
  ]);
  const lacking = await call(getAuthentication, { headers: guest });
  expect([lacking.status, lacking.json()]).toMatchObject([403, { code: 'Forbidden' }]);
  expect((await call(getAuthentication, { headers: key })).status).toBe(200);
});

test('one permission opens what it names and nothing else', async () => {
  const one = (await givenKey('pki', { permissions: ['authentication'] })).text;
  const other = (await givenKey('pki', { permissions: ['authentications', 'auth'] })).text;
  expect((await call(getAuthentication, { headers: { 'X-Api-Key': one } })).status).toBe(200);
  expect((await call(getAuthentication, { headers: { 'X-Api-Key': other } })).status).toBe(403);
});

test('the exceptionCode of an unexpected failure finds its line in the log', async () => {
  const { result, lines } = await logOf(() => call(post, { headers: key, json: { token: '', nonce: '' } }));
  expect(result.status).toBe(500);
  expect(result.json()).toEqual({
    exceptionCode: result.headers['x-correlation-id'],
    message: 'Unexpected error. Give the exception code to support.',
  });
  expect(lines).toEqual([
    expect.objectContaining({
      message: 'unexpected failure',
      correlationId: result.headers['x-correlation-id'],
      error: expect.objectContaining({ message: 'table sinete-local-pki is on fire' }),
    }),
  ]);
});

test('an unknown route, and a body of another type, are ErrorModelV2 too', async () => {
  const nowhere = await call(unknownRoute, { path: '/api/v9' });
  expect([nowhere.status, nowhere.json()]).toMatchObject([404, { code: 'EndpointNotFound' }]);
  const other = await call(post, { headers: { ...key, 'Content-Type': 'text/xml' }, body: '<a/>' });
  expect([other.status, other.json()]).toMatchObject([415, { code: 'InvalidRequest' }]);
});
