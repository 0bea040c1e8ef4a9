import { Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { handler as getAuthentication } from '../../../../functions/pki/authentication/endpoints/get-authentication.ts';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY, fileOf, PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { type Answer, empty, file, html, json, redirect } from '../../../../shared/http/response/answer.ts';
import { call } from '../../../requests/http-event.ts';
import { logOf } from '../log-of.ts';
import { errors, givenKey, sample } from '../sample.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

const answering = (run: () => Answer, answers = { 200: fileOf('application/pdf') as unknown as z.ZodType }) =>
  sample().endpoint({ route: 'GET /thing', summary: 'Thing', answers, access: 'public' }, (async () =>
    run()) as never);
const named = (name: string, inline = false) =>
  call(answering(() => file(Buffer.from('x'), 'application/pdf', { name, inline })));

const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, n) => n));

test('bytes arrive as they were, whole or from a stream', async () => {
  const sources = [
    () => EVERY_BYTE,
    () => new Uint8Array(EVERY_BYTE),
    () => Readable.from([EVERY_BYTE.subarray(0, 100), EVERY_BYTE.subarray(100)]),
  ];
  for (const source of sources) {
    const answered = await call(answering(() => file(source(), 'application/pdf')));
    expect(answered.status).toBe(200);
    expect(answered.headers['content-type']).toBe('application/pdf');
    expect(answered.bytes).toEqual(EVERY_BYTE);
  }
});

test('an empty file is a file', async () => {
  for (const nothing of [Buffer.alloc(0), Readable.from([])]) {
    const answered = await call(answering(() => file(nothing, 'application/pdf')));
    expect([answered.status, answered.bytes.length]).toEqual([200, 0]);
  }
});

test('a stream that fails before it was handed over is an unexpected failure, told once', async () => {
  const failing = () =>
    Readable.from(
      (async function* () {
        yield Buffer.from('half a document');
        throw new Error('the store hung up');
      })(),
    );
  vi.stubEnv('Log__Level', 'INFO');
  const { result, lines } = await logOf(() => call(answering(() => file(failing(), 'application/pdf'))));
  expect([result.status, result.json()]).toMatchObject([500, { code: 'Unexpected' }]);
  expect(lines.map(({ message, status }) => [message, status])).toEqual([
    ['unexpected failure', undefined],
    ['answered', 500],
  ]);
});

test('a file is named for whoever saves it, in ASCII and in its own script', async () => {
  expect((await named('contrato.pdf')).headers['content-disposition']).toBe(
    'attachment; filename="contrato.pdf"',
  );
  expect((await named('procuração.pdf', true)).headers['content-disposition']).toBe(
    `inline; filename="procuracao.pdf"; filename*=UTF-8''procura%C3%A7%C3%A3o.pdf`,
  );
  expect((await named('契約書.pdf')).headers['content-disposition']).toBe(
    `attachment; filename="___.pdf"; filename*=UTF-8''%E5%A5%91%E7%B4%84%E6%9B%B8.pdf`,
  );
});

test('no name can end the header or begin another', async () => {
  for (const name of [
    'a"; filename="b.exe',
    'a\r\nSet-Cookie: x=1',
    'a\\".pdf',
    '../../etc/passwd',
    '\u0000',
  ]) {
    const header = (await named(name)).headers['content-disposition'] ?? '';
    expect(header).toMatch(/^attachment; filename="[^"\\/\r\n]+"(; filename\*=UTF-8''[\w.~%!-]+)?$/);
  }
});

test('a page is text in UTF-8', async () => {
  const page = answering(() => html('<p>ação</p>'), { 200: PAGE as unknown as z.ZodType });
  const answered = await call(page);
  expect(answered.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(answered.text).toBe('<p>ação</p>');
});

test('a redirect says where and holds nothing', async () => {
  const answers = { 302: REDIRECT, 303: REDIRECT } as unknown as { 200: z.ZodType };
  const found = await call(answering(() => redirect('https://example.com/a?b=c'), answers));
  expect([found.status, found.headers.location, found.text]).toEqual([302, 'https://example.com/a?b=c', '']);
  const seeOther = await call(answering(() => redirect('/b', { status: 303 }), answers));
  expect([seeOther.status, seeOther.headers.location]).toEqual([303, '/b']);
});

test('an answer may set headers of its own, but never another correlation id', async () => {
  const answers = { 204: EMPTY } as unknown as { 200: z.ZodType };
  const headers = { 'cache-control': 'max-age=60', 'x-correlation-id': 'mine' };
  const answered = await call(answering(() => empty(204, { headers }), answers));
  expect(answered.headers['cache-control']).toBe('max-age=60');
  expect(answered.headers['x-correlation-id']).toMatch(/^[0-9a-f-]{36}$/);
});

const withCookies = answering(
  () =>
    json(
      {},
      {
        cookies: [
          { name: 'approver', value: 'a b;c', maxAge: 600 },
          { name: 'theme', value: 'dark', httpOnly: false, sameSite: 'strict', path: '/batch' },
        ],
      },
    ),
  { 200: z.object({}) },
);

test('cookies are kept from scripts and other sites unless the answer says otherwise', async () => {
  const { cookies } = await call(withCookies);
  expect(cookies).toEqual([
    'approver=a%20b%3Bc; Max-Age=600; Path=/; HttpOnly; SameSite=Lax',
    'theme=dark; Path=/batch; SameSite=Strict',
  ]);
});

test('outside the local stage cookies travel over https only', async () => {
  vi.stubEnv('STAGE', 'prod');
  for (const cookie of (await call(withCookies)).cookies) expect(cookie).toContain('; Secure');
});

test('JSON keeps text as it is, and undefined is null', async () => {
  const shown = { ação: '契', emoji: '👩🏽‍⚖️' };
  const answered = await call(answering(() => json(shown), { 200: z.record(z.string(), z.string()) }));
  expect(answered.json()).toEqual(shown);
  const nothing = await call(answering(() => json(undefined), { 200: z.null() }));
  expect(nothing.text).toBe('null');
});

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  ['text/json', 'text/json'],
  ['TEXT/JSON', 'text/json'],
  ['text/json, application/json', 'application/json'],
  ['text/html', 'application/json'],
])('the PKI core answers Accept: %s with %s', async (accept, type) => {
  const headers = { 'X-Api-Key': (await givenKey('pki')).text, ...(accept && { Accept: accept }) };
  const { status, headers: got } = await call(getAuthentication, { headers });
  expect([status, got['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
  const refused = await call(getAuthentication, { headers: accept ? { Accept: accept } : {} });
  expect([refused.status, refused.headers['content-type']]).toEqual([401, `${type}; charset=utf-8`]);
});

test('every 401 names how to authenticate', async () => {
  const keyed = { route: 'GET /keyed', summary: 'Keyed', answers: { 204: EMPTY } } as const;
  const asked = await call(sample().endpoint(keyed, async () => empty()));
  expect([asked.status, asked.headers['www-authenticate']]).toEqual([401, 'ApiKey realm="sandbox"']);
  const byToken = sample().endpoint(
    { ...keyed, access: 'public', challenge: 'Bearer', refuses: ['Unauthorized'] },
    () => Promise.reject(errors.refuse('Unauthorized')),
  );
  expect((await call(byToken)).headers['www-authenticate']).toBe('Bearer');
});

test('an answer without a body has no content type', async () => {
  const none = (answer: Answer) =>
    call(answering(() => answer, { [answer.status]: EMPTY as unknown as z.ZodType } as never));
  for (const answer of [empty(204), redirect('/a'), redirect('/a', { status: 303 }), empty(401)])
    expect((await none(answer)).headers).not.toHaveProperty('content-type');
  // API Gateway would call an empty 200 JSON, and a client would fail to parse it.
  expect((await none(empty(200))).headers['content-type']).toMatch(/^text\/plain/);
});

test('a deployment is for https alone', async () => {
  const page = answering(() => html('<p>'), { 200: PAGE as unknown as z.ZodType });
  expect((await call(page)).headers).not.toHaveProperty('strict-transport-security');
  vi.stubEnv('STAGE', 'prod');
  expect((await call(page)).headers['strict-transport-security']).toBe('max-age=31536000');
});

test('a page has a window of its own', async () => {
  const page = answering(() => html('<p>'), { 200: PAGE as unknown as z.ZodType });
  expect((await call(page)).headers['cross-origin-opener-policy']).toBe('same-origin');
});

test.each(['before its body is read', 'while it is read'])(
  'a caller who hangs up %s is no error',
  async (when) => {
    const taking = sample().endpoint(
      {
        route: 'POST /thing',
        summary: 'Thing',
        body: jsonBody(z.object({})),
        answers: { 204: EMPTY },
        access: 'public',
      },
      async () => empty(),
    );
    const bodyStream = new Readable({ read() {} });
    bodyStream.push('{');
    vi.stubEnv('Log__Level', 'INFO');
    const hangUp = () => bodyStream.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }));
    const { result, lines } = await logOf(async () => {
      bodyStream.on('error', () => undefined);
      if (when === 'before its body is read') hangUp();
      const answering = call(taking, {
        headers: { 'Content-Type': 'application/json', 'Content-Length': '1000' },
        bodyStream,
      });
      // The flow reads the body some ticks later.
      setImmediate(() => setImmediate(hangUp));
      return answering;
    });
    expect(result.status).toBe(400);
    expect(lines.map(({ level, message, status }) => [level, message, status])).toEqual([
      ['INFO', 'answered', 400],
    ]);
  },
);

test('work that stops because its caller hung up is no error', async () => {
  const caller = new AbortController();
  const waiting = answering(() => {
    caller.abort();
    caller.signal.throwIfAborted();
    return empty();
  });
  vi.stubEnv('Log__Level', 'INFO');
  const { lines } = await logOf(() => call(waiting, { hangUp: caller.signal }));
  expect(lines.map(({ level, message }) => [level, message])).toEqual([
    ['INFO', 'caller hung up'],
    ['INFO', 'answered'],
  ]);
});
