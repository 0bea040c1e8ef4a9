import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { mayBeEmpty } from '../../../shared/http/query.ts';
import { openApiDocument } from '../../../shared/http/reference/openapi.ts';
import { problemDetailsStyle } from '../../../shared/http/styles/problem-details.ts';
import { call, type Request } from '../../requests/http-event.ts';
import { sample } from './sample.ts';

const Filter = z.object({
  state: z.enum(['Open', 'Closed']).optional(),
  size: z.coerce.number().int().min(1).max(200).default(50),
  text: z.string().optional(),
  id: z.union([z.string(), z.array(z.string().length(2))]).optional(),
});
const strict = sample({ invalidQuery: 'Refused', style: problemDetailsStyle, tags: { figures: 'Figures.' } });
const declared = {
  route: 'GET /things',
  summary: 'Things',
  tag: 'figures',
  query: Filter,
  answers: { 200: Filter },
  access: 'public',
} as const;
const list = strict.endpoint(declared, async ({ query }) => query);
const lenient = sample().endpoint(declared, async ({ query }) => query);

const get = async (query: Request['query'] = {}) => {
  const { status, json } = await call(list, { query });
  const body = json() as { code?: string; errors?: Record<string, string[]> };
  return { status, body };
};

describe('the query of a service with a code for it', () => {
  test('is read by its shape, with its defaults', async () => {
    expect(await get()).toEqual({ status: 200, body: { size: 50 } });
    const given = { state: 'Open', size: '3', text: 'a', id: ['aa', 'bb'] };
    expect(await get(given)).toEqual({ status: 200, body: { ...given, size: 3 } });
  });

  test.each<[string, NonNullable<Request['query']>, Record<string, unknown>]>([
    ['an unknown name', { stat: 'Open' }, { stat: [expect.stringContaining('state, size, text, id')] }],
    ['a name that every object has', { constructor: 'a' }, { constructor: [expect.any(String)] }],
    ['a repeated value', { text: ['a', 'b'] }, { text: ['may be given only once'] }],
    ['one that is repeated with the same value', { size: ['3', '3'] }, { size: ['may be given only once'] }],
    ['a repeated choice', { state: ['Open', 'Closed'] }, { state: ['may be given only once'] }],
    ['an empty value', { text: '' }, { text: ['is empty'] }],
    ['an empty one of several', { id: ['aa', ''] }, { id: ['is empty'], 'id.1': [expect.any(String)] }],
    ['an empty choice, for one reason', { state: '' }, { state: ['is empty'] }],
    ['an unknown choice', { state: 'open' }, { state: [expect.any(String)] }],
    ['a number out of range', { size: '201' }, { size: [expect.any(String)] }],
    ['what is no number', { size: 'many' }, { size: [expect.any(String)] }],
    ['one of several that is wrong, by its place', { id: ['aa', 'bbb'] }, { 'id.1': [expect.any(String)] }],
    ['each of several mistakes', { a: '1', b: '2' }, { a: [expect.any(String)], b: [expect.any(String)] }],
  ])('refuses %s, and names it', async (_, query, errors) => {
    const { status, body } = await get(query);
    expect([status, body.code]).toEqual([422, 'Refused']);
    expect(body.errors).toEqual(errors);
  });

  test('lists that code in the contract document, and not the one of an invalid request', () => {
    const document = openApiDocument(strict, [{ name: 'list', declaration: list.declaration }], {}, '0');
    const { responses } = (document as { paths: Record<string, { get: { responses: object } }> }).paths[
      '/things'
    ]?.get ?? { responses: {} };
    expect(Object.keys(responses)).toContain('422');
    expect(Object.keys(responses)).not.toContain('400');
  });
});

test('a parameter that may be empty reaches its endpoint without a value', async () => {
  const Named = z.object({ name: mayBeEmpty(z.string().optional()), text: z.string().optional() });
  const named = strict.endpoint(
    { ...declared, query: Named, answers: { 200: Named } },
    async ({ query }) => query,
  );
  expect((await call(named, { query: { name: '' } })).json()).toEqual({ name: '' });
  expect((await call(named, { query: { name: '', text: '' } })).status).toBe(422);
  expect((await call(named, { query: { name: ['', ''] } })).status).toBe(422);
});

test('without such a code unknown names and empty values are ignored, and the rest is an invalid request', async () => {
  expect((await call(lenient, { query: { other: '1', text: '' } })).status).toBe(200);
  expect((await call(lenient, { query: { size: '0' } })).status).toBe(400);
});
