import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { multipartBody } from '../../../../shared/http/body/multipart.ts';
import { call } from '../../../requests/http-event.ts';
import { sample } from '../sample.ts';
import { BOUNDARY, FORM_TYPE, field, filePart, formData, type RawPart } from './form-data.ts';

const Seen = z.object({
  kind: z.string(),
  name: z.string(),
  value: z.string(),
  as: z.string().nullable(),
  type: z.string(),
});

const upload = sample().endpoint(
  {
    route: 'POST /upload',
    summary: 'Upload',
    body: multipartBody({ maxFiles: () => 3, maxFileBytes: () => 200_000, schema: {} }),
    answers: { 200: z.array(Seen) },
    access: 'public',
  },
  async ({ body }) => {
    const seen: z.infer<typeof Seen>[] = [];
    for await (const part of body.parts) {
      if (part.kind === 'field') seen.push({ ...part, as: null, type: '' });
      else {
        const value = (await buffer(part.content)).toString('latin1');
        seen.push({
          kind: 'file',
          name: part.name,
          value,
          as: part.fileName ?? null,
          type: part.contentType,
        });
      }
    }
    return seen;
  },
);

const send = (body: string | Uint8Array, headers: Record<string, string> = FORM_TYPE) =>
  call(upload, { headers, body });
const seenOf = async (...parts: RawPart[]) =>
  (await send(formData(...parts))).json() as z.infer<typeof Seen>[];

test('parts come in the order in which they were sent', async () => {
  const seen = await seenOf(
    field('sessionId', 'abc'),
    filePart('one', { name: 'files' }),
    field('reason', 'because'),
    filePart('two', { name: 'files', type: 'text/plain' }),
    field('sessionId', 'again'),
  );
  expect(seen.map(({ kind, name, value }) => [kind, name, value])).toEqual([
    ['field', 'sessionId', 'abc'],
    ['file', 'files', 'one'],
    ['field', 'reason', 'because'],
    ['file', 'files', 'two'],
    ['field', 'sessionId', 'again'],
  ]);
  expect(seen[1]?.type).toBe('application/pdf');
});

test('every byte of a file arrives, boundaries that are none included', async () => {
  const all = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
  const content = Buffer.concat([all, Buffer.from(`\r\n--${BOUNDARY.slice(0, -1)}\r\n--\r\n`), all]);
  const [seen] = await seenOf(filePart(content));
  expect(Buffer.from(seen?.value ?? '', 'latin1')).toEqual(content);
});

test('a form with no parts is a form, and an empty file is a file', async () => {
  expect((await send(`--${BOUNDARY}--\r\n`)).json()).toEqual([]);
  expect(await seenOf(filePart(''))).toMatchObject([{ kind: 'file', value: '', as: 'a.pdf' }]);
});

test.each([
  ['filename="contrato.pdf"', 'contrato.pdf'],
  ['filename=contrato.pdf', 'contrato.pdf'],
  ['filename="procuração 契約.pdf"', 'procuração 契約.pdf'],
  [`filename*=UTF-8''procura%C3%A7%C3%A3o.pdf`, 'procuração.pdf'],
  [`filename*=utf-8'pt-BR'procura%C3%A7%C3%A3o.pdf`, 'procuração.pdf'],
  [`filename="procuracao.pdf"; filename*=UTF-8''procura%C3%A7%C3%A3o.pdf`, 'procuração.pdf'],
  [`filename*=UTF-8''procura%C3%A7%C3%A3o.pdf; filename="procuracao.pdf"`, 'procuração.pdf'],
  [
    `filename="=?utf-8?B?cHJvY3VyYcOnw6NvLnBkZg==?="; filename*=utf-8''procura%C3%A7%C3%A3o.pdf`, // .NET
    'procuração.pdf',
  ],
  ['filename="/etc/passwd"', 'passwd'],
  ['filename="C:\\\\Users\\\\eu\\\\contrato.pdf"', 'contrato.pdf'],
  [`filename="plain.pdf"; filename*=UTF-8''%C3`, 'plain.pdf'],
  [`filename="plain.pdf"; filename*=koi8-r''%C3`, 'plain.pdf'],
  ['filename="C:\\Users\\eu\\contrato.pdf"', 'contrato.pdf'],
  ['filename="../../contrato.pdf"', 'contrato.pdf'],
  [`filename*=UTF-8''..%2F..%2Fcontrato.pdf`, 'contrato.pdf'],
  ['filename="a \\"quoted\\" name.pdf"', 'a "quoted" name.pdf'],
  ['filename=""', null],
  ['filename=".."', null],
])('a file sent with %s is called %j', async (disposition, name) => {
  const [seen] = await seenOf(filePart('x', { disposition }));
  expect(seen).toMatchObject({ kind: 'file', as: name });
});

test('a part without a file name is a file when it says it holds bytes, else a field', async () => {
  const headers = ['Content-Disposition: form-data; name="document"'];
  const seen = await seenOf(
    { headers: [...headers, 'Content-Type: application/octet-stream'], content: 'x' },
    { headers: [...headers, 'Content-Type: text/plain; charset=utf-8'], content: 'ação' },
    {
      headers: [...headers, 'Content-Type: text/plain; charset=iso-8859-1'],
      content: Buffer.from('ação', 'latin1'),
    },
  );
  expect(seen.map(({ kind, value, as }) => [kind, value, as])).toEqual([
    ['file', 'x', null],
    ['field', 'ação', null],
    ['field', 'ação', null],
  ]);
});

test('what calls itself no media type is bytes', async () => {
  const types = ['text/plain', 'TEXT/Plain; charset=x', 'form-data', 'a/b/c', '\u0001/x', 'text / plain', ''];
  const seen: string[] = [];
  for (const type of types) seen.push((await seenOf(filePart('x', { type })))[0]?.type ?? 'none');
  const bytes = 'application/octet-stream';
  expect(seen).toEqual(['text/plain', 'text/plain', bytes, bytes, bytes, bytes, bytes]);
});

test('a part that names no field is passed over', async () => {
  const seen = await seenOf(
    { headers: ['Content-Type: text/plain'], content: 'lost' },
    { headers: ['Content-Disposition: attachment; filename="a"'], content: 'lost' },
    field('kept', 'x'),
  );
  expect(seen.map(({ name }) => name)).toEqual(['kept']);
});

test('a part whose headers never end is passed over, and the form ends all the same', async () => {
  const disposition = (name: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n`;
  const [lost, kept, end] = [disposition('lost'), `${disposition('kept')}\r\nx\r\n`, `--${BOUNDARY}--\r\n`];
  for (const body of [lost + kept + end, kept + lost + end])
    expect((await send(body)).json()).toMatchObject([{ name: 'kept', value: 'x' }]);
});

test.each([
  ['multipart/form-data', 'no boundary'],
  ['multipart/form-data; boundary=', 'an empty boundary'],
  [`multipart/form-data; boundary=${'x'.repeat(71)}`, 'a boundary that is too long'],
  ['multipart/mixed; boundary=x', 'another kind of multipart'],
  ['application/json', 'another type'],
  ['', 'no type'],
])('%s is 415: %s', async (type) => {
  const answered = await send(formData(field('a', 'b')), type ? { 'Content-Type': type } : {});
  expect(answered.status).toBe(415);
  expect(answered.json()).toMatchObject({
    details: { accepted: expect.stringContaining('multipart/form-data') },
  });
});

test('a boundary may be quoted, and the media type in any case', async () => {
  const headers = { 'Content-Type': `Multipart/Form-Data; charset=utf-8; BOUNDARY="${BOUNDARY}"` };
  expect((await send(formData(field('a', 'b')), headers)).status).toBe(200);
});

test('an empty body, or one with another boundary, is no form', async () => {
  for (const body of ['', 'hello', formData(field('a', 'b')).toString().replaceAll(BOUNDARY, 'another')]) {
    const answered = await send(body);
    expect(answered.status).toBe(400);
    expect(answered.json()).toMatchObject({
      details: { field: 'body', reason: 'is not a whole multipart form' },
    });
  }
});

test('a form that is cut short is refused wherever it was cut', async () => {
  const whole = formData(field('sessionId', 'abc'), filePart('x'.repeat(50)), filePart('second'));
  const end = whole.length - '\r\n'.length;
  for (let length = 0; length < end; length++) {
    const answered = await send(whole.subarray(0, length));
    expect([length, answered.status]).toEqual([length, 400]);
  }
  expect((await send(whole.subarray(0, end))).status).toBe(200);
});

test('a file that is cut short is refused even by who reads only that file, and reads it late', async () => {
  const first = sample().endpoint(
    {
      route: 'POST /first',
      summary: 'First file',
      body: multipartBody({ maxFiles: () => 1, maxFileBytes: () => 200_000, schema: {} }),
      answers: { 200: z.object({ size: z.int() }) },
      access: 'public',
    },
    async ({ body }) => {
      for await (const part of body.parts) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        if (part.kind === 'file') return { size: (await buffer(part.content)).length };
      }
      return { size: -1 };
    },
  );
  for (const size of [10, 150_000]) {
    const whole = formData(filePart('x'.repeat(size)));
    const ask = (body: Buffer) => call(first, { headers: FORM_TYPE, body });
    expect((await ask(whole)).json()).toEqual({ size });
    expect((await ask(whole.subarray(0, whole.length - 30))).status).toBe(400);
  }
});
