import { expect, test } from 'vitest';
import * as z from 'zod';
import { anyBody, formBody, jsonBody, oneOf } from '../../../../shared/http/body/reader.ts';
import { call } from '../../../requests/http-event.ts';
import { sample } from '../sample.ts';

const Form = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const declaration = { route: 'POST /form', summary: 'Form', access: 'public' } as const;
const echo = sample().endpoint(
  { ...declaration, body: formBody(Form), answers: { 200: Form } },
  async ({ body }) => body,
);
const send = (body: string | Uint8Array, type = 'application/x-www-form-urlencoded') =>
  call(echo, { headers: { 'Content-Type': type }, body });

test('fields are decoded, and a repeated one is a list in its order', async () => {
  const answered = await send('name=Jo%C3%A3o+da%20Silva&id=3&id=1&id=2&empty=');
  expect(answered.json()).toEqual({ name: 'João da Silva', id: ['3', '1', '2'], empty: '' });
});

test('a field may be named like anything that every object has', async () => {
  const answered = await send('__proto__=a&constructor=b&=c');
  expect(answered.status).toBe(200);
  expect(answered.json()).toEqual({ constructor: 'b', '': 'c' });
});

test('an empty form has no fields', async () => {
  expect((await send('')).json()).toEqual({});
});

test('another media type is 415, and bytes that are no text are 400', async () => {
  expect((await send('a=b', 'text/plain')).status).toBe(415);
  expect((await send(Buffer.from([0x61, 0x3d, 0xff]))).status).toBe(400);
});

test('a body of either kind is read by its media type', async () => {
  const either = sample().endpoint(
    {
      ...declaration,
      body: oneOf(jsonBody(z.object({ n: z.number() })), formBody(z.object({ n: z.coerce.number() }))),
      answers: { 200: z.object({ n: z.number() }) },
    },
    async ({ body }) => ({ n: body.n }),
  );
  const ask = (type: string, body: string) => call(either, { headers: { 'Content-Type': type }, body });
  expect((await ask('application/json', '{"n":1}')).json()).toEqual({ n: 1 });
  expect((await ask('application/x-www-form-urlencoded', 'n=2')).json()).toEqual({ n: 2 });
  const other = await ask('text/csv', 'n');
  expect(other.status).toBe(415);
  expect(other.json()).toMatchObject({
    details: { accepted: 'application/json, application/x-www-form-urlencoded' },
  });
});

test('a body that its endpoint reads itself comes as it is, within the limit', async () => {
  const raw = sample().endpoint(
    {
      ...declaration,
      body: anyBody(),
      maxBodyBytes: () => 4,
      answers: { 200: z.object({ type: z.string(), bytes: z.array(z.number()) }) },
    },
    async ({ body }) => ({ type: body.contentType, bytes: [...(await body.bytes())] }),
  );
  const ask = (body: Uint8Array) => call(raw, { headers: { 'Content-Type': 'image/x; q="1"' }, body });
  expect((await ask(new Uint8Array([0, 255, 128, 7]))).json()).toEqual({
    type: 'image/x; q="1"',
    bytes: [0, 255, 128, 7],
  });
  expect((await ask(new Uint8Array(5))).status).toBe(413);
});

const MANY = 1_000;
const fieldsOf = (count: number) => Array.from({ length: count }, (_, at) => `f${at}=`).join('&');

test('a form has at most 1,000 fields, counted before it is parsed', async () => {
  expect(Object.keys((await send(fieldsOf(MANY))).json() as object)).toHaveLength(MANY);
  const refused = await send(fieldsOf(MANY + 1));
  expect(refused.status).toBe(400);
  expect(refused.json()).toMatchObject({ details: { field: 'fields', reason: 'are more than 1000' } });
  // Not decoded either: bytes that are no text would be refused by that name.
  const unread = Buffer.concat([Buffer.from('&'.repeat(MANY)), Buffer.from([0xff])]);
  expect((await send(unread)).json()).toMatchObject({ details: { field: 'fields' } });
});

test('of two kinds of body each has its own limit', async () => {
  const limits = { isOpen: false };
  const either = oneOf(jsonBody(z.object({})), { ...anyBody(), ceilingBytes: () => 7 });
  expect(either.ceilingBytes({ ...limits, mediaType: 'application/json' })).toBe(1_048_576);
  expect(either.ceilingBytes({ ...limits, mediaType: 'text/csv' })).toBe(7);
});

test('a form to an operation without a key has at most 16 KB', async () => {
  expect((await send(`a=${'x'.repeat(16_382)}`)).status).toBe(200);
  expect((await send(`a=${'x'.repeat(16_383)}`)).status).toBe(413);
});
