import { expect, test } from 'vitest';
import * as z from 'zod';
import type { HostEvent } from '../../../shared/http/call.ts';
import { call, lambdaContext } from '../../requests/http-event.ts';
import { sample } from './sample.ts';

const Seen = z.object({
  method: z.string(),
  path: z.string(),
  params: z.record(z.string(), z.string()),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  cookies: z.record(z.string(), z.string()),
  header: z.string().nullable(),
  clientAddress: z.string(),
});
const echo = sample().endpoint(
  { route: 'ANY /{path+}', summary: 'Echo', answers: { 200: Seen }, access: 'public' },
  async ({ method, path, params, query, cookies, headers, clientAddress }) => ({
    method,
    path,
    params: { ...params },
    query: { ...query },
    cookies: { ...cookies } as Record<string, string>,
    header: headers['x-thing'] ?? null,
    clientAddress,
  }),
);

test('a value given once is a text, one given several times a list in its order', async () => {
  const answered = await call(echo, { query: { page: '1', id: ['b', 'a'], empty: '' } });
  expect(answered.json()).toMatchObject({ query: { page: '1', id: ['b', 'a'], empty: '' } });
});

test('path parameters are decoded once, and kept as they are where they cannot be', async () => {
  const params = { a: 'ana%20maria%40x', b: '%2541', c: '100%', d: '%E7%E3o' };
  const answered = await call(echo, { params });
  expect(answered.json()).toMatchObject({ params: { a: 'ana maria@x', b: '%41', c: '100%', d: '%E7%E3o' } });
});

test('headers are found in any case, and repeated ones joined', async () => {
  expect((await call(echo, { headers: { 'X-THING': 'a' } })).json()).toMatchObject({ header: 'a' });
  expect((await call(echo, { headers: { 'x-Thing': ['a', 'b'] } })).json()).toMatchObject({ header: 'a, b' });
  const twice = { 'X-Thing': 'a', 'x-thing': 'b' };
  expect((await call(echo, { headers: twice })).json()).toMatchObject({ header: 'a, b' });
});

test('cookies of every Cookie header are found, and the first of a name counts', async () => {
  const headers = { Cookie: ['a=1; b=%C3%A7; broken', 'c=3; a=2; d=%'] };
  expect((await call(echo, { headers })).json()).toMatchObject({
    cookies: { a: '1', b: 'ç', c: '3', d: '%' },
  });
});

test.each<[string, Partial<Record<keyof HostEvent, unknown>>]>([
  ['that is empty', {}],
  ['whose every part is null', { headers: null, multiValueHeaders: null, body: null, requestContext: null }],
  ['with only single values', { headers: { 'X-Thing': 'x' }, queryStringParameters: { a: '1' } }],
  ['with values that are undefined', { headers: { a: undefined }, pathParameters: { b: undefined } }],
])('an event %s is answered like any other', async (_, event) => {
  const answered = await echo(event as unknown as HostEvent, lambdaContext());
  expect(answered.statusCode).toBe(200);
  const { headers, queryStringParameters } = event as { headers?: object; queryStringParameters?: object };
  expect(JSON.parse(answered.body)).toMatchObject({
    header: headers && 'X-Thing' in headers ? 'x' : null,
    query: queryStringParameters ?? {},
  });
});
