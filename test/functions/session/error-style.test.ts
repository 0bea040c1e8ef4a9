import { expect, test } from 'vitest';
import * as z from 'zod';
import { handler as getStatus } from '../../../functions/session/endpoints/get-status.ts';
import { handler as unknownRoute } from '../../../functions/session/endpoints/refuse-unknown-route.ts';
import { errors } from '../../../functions/session/errors.ts';
import { session } from '../../../functions/session/service.ts';
import { jsonBody } from '../../../shared/http/body/reader.ts';
import { call } from '../../requests/http-event.ts';
import { logOf } from '../../shared/http/log-of.ts';
import { givenKey } from '../../shared/http/sample.ts';

const key = { 'X-API-Key': (await givenKey('session')).text };

const post = session.endpoint(
  {
    route: 'POST /v1/thing',
    summary: 'Thing',
    body: jsonBody(z.object({ signer: z.object({ cpf: z.string() }) })),
    maxBodyBytes: () => 30,
    answers: { 200: z.object({}) },
    refuses: ['CERT_NOT_FOUND'],
  },
  async ({ body }) => {
    if (body.signer.cpf === '') throw new Error('pin 1234 at /srv/app');
    throw errors.refuse('CERT_NOT_FOUND');
  },
);

test('a refusal is an envelope with code and message, and no details where there are none', async () => {
  const answered = await call(post, { headers: key, json: { signer: { cpf: '1' } } });
  expect(answered.status).toBe(404);
  expect(answered.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answered.json()).toEqual({
    error: {
      code: 'CERT_NOT_FOUND',
      message: 'No certificate is held for this CPF, or the bound one is no longer held.',
    },
  });
});

test('the details of a missing query value name it', async () => {
  const answered = await call(getStatus, { headers: key });
  expect(answered.status).toBe(400);
  expect(answered.json()).toEqual({
    error: {
      code: 'INVALID_REQUEST',
      message: expect.any(String),
      details: 'field: sessionId; reason: is required',
    },
  });
});

test('the details of a malformed body name the field by its path', async () => {
  const answered = await call(post, { headers: key, json: { signer: { cpf: 1 } } });
  expect(answered.status).toBe(400);
  expect(answered.json()).toMatchObject({
    error: { code: 'INVALID_REQUEST', details: expect.stringContaining('field: signer.cpf;') },
  });
});

test('a body that is too large is told its own size and the largest', async () => {
  const json = { signer: { cpf: '52998224725' } };
  const answered = await call(post, { headers: key, json });
  expect(answered.status).toBe(413);
  expect(answered.json()).toMatchObject({
    error: { code: 'DOCUMENT_TOO_LARGE', details: 'limitBytes: 30; actualBytes: 32' },
  });
});

test('an unreadable media type is INVALID_REQUEST at 415', async () => {
  const answered = await call(post, { headers: { ...key, 'Content-Type': 'text/plain' }, body: 'x' });
  expect(answered.status).toBe(415);
  expect(answered.json()).toMatchObject({
    error: { code: 'INVALID_REQUEST', details: 'mediaType: text/plain; accepted: application/json' },
  });
});

test('a key that is not accepted is UNAUTHORIZED', async () => {
  const answered = await call(getStatus);
  expect(answered.status).toBe(401);
  expect(answered.json()).toEqual({
    error: { code: 'UNAUTHORIZED', message: 'The API key is not accepted.' },
  });
});

test('an unknown route is ENDPOINT_NOT_FOUND, with or without a key', async () => {
  for (const headers of [key, {}]) {
    const answered = await call(unknownRoute, { method: 'PATCH', path: '/session/v1/nothing', headers });
    expect(answered.status).toBe(404);
    expect(answered.json()).toMatchObject({
      error: { code: 'ENDPOINT_NOT_FOUND', details: 'method: PATCH; path: /session/v1/nothing' },
    });
  }
});

test('an unexpected failure is INTERNAL_ERROR and nothing of its cause', async () => {
  const { result } = await logOf(() => call(post, { headers: key, json: { signer: { cpf: '' } } }));
  expect(result.status).toBe(500);
  expect(result.json()).toEqual({
    error: {
      code: 'INTERNAL_ERROR',
      message:
        'The request could not be completed. It is safe to retry with its Idempotency-Key; without one, it may be done twice.',
    },
  });
});
