import { expect, test } from 'vitest';
import * as z from 'zod';
import { handler as unknownCredentialsRoute } from '../../../../functions/credentials/endpoints/refuse-unknown-route.ts';
import { handler as getOrganization } from '../../../../functions/documents/endpoints/organizations/get-organization.ts';
import { handler as unknownRoute } from '../../../../functions/documents/endpoints/refuse-unknown-route.ts';
import { errors } from '../../../../functions/documents/errors.ts';
import { documents } from '../../../../functions/documents/service.ts';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { call } from '../../../requests/http-event.ts';
import { logOf } from '../log-of.ts';
import { givenKey } from '../sample.ts';

const key = { 'X-Api-Key': (await givenKey('documents')).text };

const post = documents.endpoint(
  {
    route: 'POST /api/thing',
    can: 'documents.send',
    summary: 'Thing',
    body: jsonBody(z.object({ name: z.string() })),
    answers: { 200: z.object({}) },
    refuses: ['UploadEmpty'],
  },
  async ({ body }) => {
    if (body.name === '') throw new Error('secret of the house');
    throw errors.refuse('UploadEmpty', { uploadId: 12, retry: false });
  },
);

test('a refusal is 422 with code, message and a map of texts', async () => {
  const answered = await call(post, { headers: key, json: { name: 'a' } });
  expect(answered.status).toBe(422);
  expect(answered.json()).toEqual({
    code: 'UploadEmpty',
    message: 'The upload has no file, or the file is empty.',
    details: { uploadId: '12', retry: 'false' },
  });
});

test('a 404 names the resource and its id', async () => {
  const id = crypto.randomUUID();
  const answered = await call(getOrganization, { headers: key, params: { orgId: id } });
  expect(answered.status).toBe(404);
  expect(answered.json()).toMatchObject({
    code: 'OrganizationNotFound',
    message: expect.any(String),
    resourceName: 'Organization',
    resourceId: id,
  });
});

test('an unknown route is a 404 whose resource is the endpoint, at the path that was asked', async () => {
  for (const handler of [unknownRoute, unknownCredentialsRoute]) {
    const answered = await call(handler, { path: '/documents/api/nothing' });
    expect(answered.status).toBe(404);
    expect(answered.json()).toMatchObject({
      code: 'EndpointNotFound',
      resourceName: 'Endpoint',
      resourceId: '/documents/api/nothing',
    });
  }
});

test('other statuses name no resource', async () => {
  const answered = await call(post, { headers: key, json: {} });
  expect(answered.status).toBe(400);
  expect(answered.json()).toEqual({
    code: 'InvalidRequest',
    message: 'The request is malformed.',
    details: { field: 'name', reason: 'is required' },
  });
});

test('a key that is not accepted is Unauthorized', async () => {
  const answered = await call(post, { json: {} });
  expect([answered.status, answered.json()]).toMatchObject([401, { code: 'Unauthorized', details: null }]);
});

test('an unexpected failure is UnexpectedError and nothing of its cause', async () => {
  const { result } = await logOf(() => call(post, { headers: key, json: { name: '' } }));
  expect([result.status, result.json()]).toEqual([
    500,
    {
      code: 'UnexpectedError',
      message: errors.text('UnexpectedError'),
      details: null,
    },
  ]);
});
