import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { fileOf, PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { file, html, json, redirect } from '../../../../shared/http/response/answer.ts';
import { call } from '../../../requests/http-event.ts';
import { errors, sample } from '../sample.ts';

const get = (run: () => unknown) =>
  sample().endpoint(
    {
      route: 'GET /thing',
      summary: 'Thing',
      answers: { 200: PAGE, 302: REDIRECT },
      refuses: ['Refused'],
      access: 'public',
    },
    (async () => run()) as never,
  );
const withoutId = ({ 'x-correlation-id': _, ...headers }: Record<string, string>) => headers;

test.each<[string, () => unknown]>([
  ['a page', () => html('<p>ação</p>')],
  ['a redirect', () => redirect('/elsewhere')],
  [
    'a refusal',
    () => {
      throw errors.refuse('Refused');
    },
  ],
])('HEAD answers the status and headers of GET without the body: %s', async (_, run) => {
  const [got, head] = [await call(get(run)), await call(get(run), { method: 'HEAD' })];
  expect([head.status, head.text]).toEqual([got.status, '']);
  const length = got.bytes.length > 0 ? { 'content-length': String(got.bytes.length) } : {};
  expect(withoutId(head.headers)).toEqual({ ...withoutId(got.headers), ...length });
});

test('HEAD of a stream reads none of it, and lets it go', async () => {
  let asked = 0;
  const source = new Readable({
    read() {
      asked += 1;
      this.push('x');
    },
  });
  const download = sample().endpoint(
    { route: 'GET /file', summary: 'File', answers: { 200: fileOf('application/pdf') }, access: 'public' },
    async () => file(source, 'application/pdf', { length: 7 }),
  );
  const { headers, text } = await call(download, { method: 'HEAD' });
  expect([headers['content-length'], text, asked, source.destroyed]).toEqual(['7', '', 0, true]);
});

test('a GET refuses other methods as unknown routes, before it asks for a key', async () => {
  const keyed = sample().endpoint(
    { route: 'GET /keyed', summary: 'Keyed', answers: { 200: z.object({}) } },
    async () => json({}),
  );
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
    const { status, json: body } = await call(keyed, { method, path: '/keyed' });
    expect([status, body()]).toMatchObject([404, { code: 'NoSuchRoute', details: { method } }]);
  }
  expect((await call(keyed, { method: 'HEAD' })).status).toBe(401);
});
