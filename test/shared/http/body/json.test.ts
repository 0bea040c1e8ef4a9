import { expect, test } from 'vitest';
import * as z from 'zod';
import { jsonBody, optionalJsonBody } from '../../../../shared/http/body/reader.ts';
import { call } from '../../../requests/http-event.ts';
import { sample } from '../sample.ts';

const Body = z.object({ name: z.string(), tags: z.record(z.string(), z.unknown()).optional() });
const declaration = {
  route: 'POST /thing',
  summary: 'Thing',
  access: 'public',
  maxBodyBytes: () => 1_048_576,
} as const;
const echo = sample().endpoint(
  { ...declaration, body: jsonBody(Body), answers: { 200: Body } },
  async ({ body }) => body,
);
const optional = sample().endpoint(
  {
    ...declaration,
    body: optionalJsonBody(z.object({ reason: z.string().optional() })),
    answers: { 200: z.object({ reason: z.string().nullable() }) },
  },
  async ({ body }) => ({ reason: body.reason ?? null }),
);

const send = (body: string | Uint8Array, type = 'application/json', handler = echo) =>
  call(handler, { method: 'POST', headers: type ? { 'Content-Type': type } : {}, body });
const fields = (answered: { json: () => unknown }) => (answered.json() as { details: unknown }).details;

test.each([
  'application/json',
  'APPLICATION/JSON',
  'application/json; charset=utf-8',
  'application/json;charset="UTF-8"; profile=x',
  'text/json',
  'application/json-patch+json',
  'application/problem+json',
  'application/vnd.sinete.v1+json',
])('a body called %s is JSON', async (type) => {
  const answered = await send('{"name":"ação"}', type);
  expect([answered.status, answered.json()]).toEqual([200, { name: 'ação' }]);
});

test.each([
  '',
  'text/plain',
  'application/xml',
  'application/jsonx',
  'json',
  'application/x+jsonp',
  ';',
  'application/json, text/plain',
])('a body called %j is 415, told what would be read', async (type) => {
  const answered = await send('{"name":"a"}', type);
  expect(answered.status).toBe(415);
  expect(fields(answered)).toMatchObject({ accepted: 'application/json' });
});

test('bytes and text are the same body', async () => {
  const answered = await send(Buffer.from('{"name":"契約"}'));
  expect(answered.json()).toEqual({ name: '契約' });
});

test('a byte order mark is not part of the text', async () => {
  expect((await send(Buffer.from('\uFEFF{"name":"a"}'))).status).toBe(200);
});

test.each([
  ['', 'is required'],
  [' ', 'is not valid JSON'],
  ['{"name":"a"', 'is not valid JSON'],
  ['{"name":"a"} trailing', 'is not valid JSON'],
  ["{'name':'a'}", 'is not valid JSON'],
  [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22]), 'is not UTF-8 text'],
  [Buffer.from('{"name":"a"}', 'utf16le'), 'is not valid JSON'],
  ['{"name":"\\ud800"}', 'holds text that is not Unicode'],
  ['{"name":"a","tags":{"\\udfff":1}}', 'holds text that is not Unicode'],
  ['null', expect.any(String)],
  ['[]', expect.any(String)],
])('the body %j is a 400 that says so', async (body, reason) => {
  const answered = await send(body);
  expect(answered.status).toBe(400);
  expect(fields(answered)).toEqual({ field: 'body', reason });
});

test('an escaped pair of surrogates is one character', async () => {
  expect((await send('{"name":"\\ud83d\\ude00"}')).json()).toEqual({ name: '😀' });
});

test('a body over the limit is a 413 that tells both sizes', async () => {
  const answered = await send(`{"name":"${'x'.repeat(1_048_576)}"}`);
  expect(answered.status).toBe(413);
  expect(fields(answered)).toEqual({ limitBytes: '1048576', actualBytes: String(1_048_576 + 11) });
});

test('the limit counts decoded bytes, up to and including the last', async () => {
  const room = 1_048_576 - '{"name":""}'.length;
  expect((await send(Buffer.from(`{"name":"${'x'.repeat(room)}"}`))).status).toBe(200);
  expect((await send(Buffer.from(`{"name":"${'x'.repeat(room - 1)}ç"}`))).status).toBe(413);
});

test('no nesting is deep enough to break anything', async () => {
  const recursive = sample().endpoint(
    { ...declaration, body: jsonBody(z.json()), answers: { 200: z.object({}) } },
    async () => ({}),
  );
  const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
  const ask = (text: string) => send(text, 'application/json', recursive);
  expect((await ask('['.repeat(500_000))).status).toBe(400);
  expect((await ask(nested(64))).status).toBe(200);
  for (const levels of [65, 20_000]) {
    const answered = await ask(nested(levels));
    expect(answered.status).toBe(400);
    expect(fields(answered)).toEqual({ field: 'body', reason: 'is nested deeper than 64 levels' });
  }
});

test('names that every object has are fields like any other', async () => {
  const answered = await send('{"name":"a","__proto__":{"name":"b"},"constructor":1}');
  expect([answered.status, answered.json()]).toEqual([200, { name: 'a' }]);
  expect(({} as { name?: string }).name).toBeUndefined();
});

test('a message about a value never repeats the value', async () => {
  const pin = '917-secret';
  const strict = sample().endpoint(
    {
      ...declaration,
      body: jsonBody(z.object({ pin: z.enum(['a', 'b']), when: z.iso.datetime(), n: z.int(), id: z.uuid() })),
      answers: { 200: z.object({}) },
    },
    async () => ({}),
  );
  const answered = await send(
    JSON.stringify({ pin, when: pin, n: pin, id: pin }),
    'application/json',
    strict,
  );
  expect(answered.status).toBe(400);
  expect(answered.text).not.toContain(pin);
});

test('a body that may be absent is then empty, and is held to its shape when it is there', async () => {
  for (const type of ['', 'application/json']) {
    expect((await send('', type, optional)).json()).toEqual({ reason: null });
    expect((await send('{"reason":"lunch"}', type, optional)).json()).toEqual({ reason: 'lunch' });
    expect((await send('{"reason":1}', type, optional)).status).toBe(400);
    expect((await send('{', type, optional)).status).toBe(400);
  }
  expect((await call(optional, { method: 'POST' })).json()).toEqual({ reason: null });
  expect((await send('reason=lunch', 'application/x-www-form-urlencoded', optional)).status).toBe(415);
});

test.each(['application/x-www-form-urlencoded', 'text/plain'])(
  'no bytes called %s are no body, where it may be absent',
  async (type) => {
    const answered = await send('', type, optional);
    expect([answered.status, answered.json()]).toEqual([200, { reason: null }]);
    expect((await send('', type)).status).toBe(415);
  },
);

test.each([
  ['values', `[${'0,'.repeat(11)}0]`],
  ['lists', `${'['.repeat(11)}${']'.repeat(11)}`],
  ['objects', `${'{"a":'.repeat(11)}0${'}'.repeat(11)}`],
])('JSON of more %s than its operation takes is refused before it is parsed', async (_, text) => {
  const few = sample().endpoint(
    { ...declaration, body: jsonBody(z.unknown(), { maxValues: 10 }), answers: { 200: z.object({}) } },
    async () => ({}),
  );
  const refused = await send(text, 'application/json', few);
  expect([refused.status, fields(refused)]).toEqual([
    400,
    { field: 'body', reason: 'has more than 10 values' },
  ]);
  expect((await send(`${text}that is no JSON`, 'application/json', few)).status).toBe(400);
  expect((await send('[1,{"a":[2]}]', 'application/json', few)).status).toBe(200);
});

test('what texts hold is no value, whatever they escape', async () => {
  const few = sample().endpoint(
    { ...declaration, body: jsonBody(z.unknown(), { maxValues: 3 }), answers: { 200: z.object({}) } },
    async () => ({}),
  );
  const texts = ['[{,'.repeat(9), '"'.repeat(9), '\\', `\\",${','.repeat(9)}`];
  for (const text of texts)
    expect((await send(JSON.stringify([text, text]), 'application/json', few)).status).toBe(200);
  expect((await send(JSON.stringify([...texts, 4]), 'application/json', few)).status).toBe(400);
});

test('a body that may be absent, and one that nobody asked for, have no more values than any other', async () => {
  const many = JSON.stringify({ list: Array(40_000).fill(0) });
  const strict = sample({ unknownOptions: 'Invalid' });
  const bodyless = strict.endpoint({ ...declaration, answers: { 200: z.object({}) } }, async () => ({}));
  for (const handler of [optional, bodyless]) {
    const refused = await send(many, 'application/json', handler);
    expect([refused.status, fields(refused)]).toEqual([
      400,
      { field: 'body', reason: 'has more than 40000 values' },
    ]);
  }
});

test('of a thousand fields that do not hold, the first twenty are named', async () => {
  const list = sample().endpoint(
    { ...declaration, body: jsonBody(z.array(z.string())), answers: { 200: z.object({}) } },
    async () => ({}),
  );
  const { text } = await send(JSON.stringify(Array(1_000).fill(0)), 'application/json', list);
  expect(text.length).toBeLessThan(5_000);
});
