import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as getLoginPage } from '../../../../functions/batch/auth/endpoints/get-login-page.ts';
import { handler as logIn } from '../../../../functions/batch/auth/endpoints/log-in.ts';
import { handler as getState } from '../../../../functions/batch/pipeline/endpoints/get-pipeline-state.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { createDeclared } from '../../../../infra/runtime/resources/create.ts';
import { readDeclared } from '../../../../infra/runtime/resources/read.ts';
import { call } from '../../../requests/http-event.ts';
import { FORM_TYPE, field, filePart, formData } from '../../../shared/http/body/form-data.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { requestsOf } from '../../../shared/store/requests.ts';
import { cookieValue, FORM, givenSession, sendLogin, withCookie } from './operator.ts';

const BROWSER = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8', 'Accept-Language': 'en' };
const WRONG = 'another-operator-key';

beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

describe('a login with the key', () => {
  test('answers 303 to the ReturnUrl, with a cookie that is a session', async () => {
    const { status, headers, cookies, text } = await sendLogin({
      ApiKey: SANDBOX_KEY,
      ReturnUrl: '/jobs?page=2',
    });
    expect([status, headers.location, text]).toEqual([303, '/batch/jobs?page=2', '']);
    expect(cookies).toHaveLength(1);
    expect((await call(getState, withCookie(cookieValue(cookies[0])))).status).toBe(200);
  });

  test.each([
    ['none', {}],
    ['another host', { ReturnUrl: '//evil.example' }],
    ['a scheme', { ReturnUrl: 'https://evil.example' }],
  ])("leads to the base URL's / where the ReturnUrl is %s", async (_, more) => {
    const { status, headers } = await sendLogin({ ApiKey: SANDBOX_KEY, ...more });
    expect([status, headers.location]).toEqual([303, '/batch/']);
  });

  test('sets a cookie for the service alone, not for scripts, and without an age', async () => {
    const { cookies } = await sendLogin({ ApiKey: SANDBOX_KEY });
    expect(cookies[0]).toMatch(/^lbs-auth=[\w-]{43}; Path=\/batch; HttpOnly; SameSite=Lax$/);
  });

  test('sets a cookie that is Secure outside the local stage, on the path that Http:PublicUrl gives', async () => {
    const isOfBatch = ({ name }: { name: string }) => name === 'sinete-prod-batch';
    const tables = readDeclared(process.cwd(), 'prod').tables.filter(isOfBatch);
    await createDeclared({ tables, buckets: [], queues: [] }, () => undefined);
    vi.stubEnv('STAGE', 'prod');
    vi.stubEnv('Http__PublicUrl', 'https://sign.example/prod');
    vi.stubEnv('Auth__CookieName', 'operator');
    const { cookies, headers } = await sendLogin({ ApiKey: SANDBOX_KEY });
    expect(cookies[0]).toMatch(/^operator=[\w-]{43}; Path=\/prod\/batch; HttpOnly; Secure; SameSite=Lax$/);
    expect(headers.location).toBe('/prod/batch/');
  });

  test('takes a multipart form as well, without files', async () => {
    const sendForm = (...parts: Parameters<typeof formData>) =>
      call(logIn, { headers: FORM_TYPE, body: formData(...parts), address: randomUUID() });
    const fields = [field('ApiKey', SANDBOX_KEY), field('ReturnUrl', '/jobs')];
    const { status, headers } = await sendForm(...fields);
    expect([status, headers.location]).toEqual([303, '/batch/jobs']);
    expect((await sendForm(...fields, filePart('text'))).status).toBe(400);
  });

  test('costs one write beside the count of its rate', async () => {
    const first = await requestsOf(() => sendLogin({ ApiKey: SANDBOX_KEY }));
    expect(first).toEqual({ UpdateItem: 1, PutItem: 1 });
  });

  test('ends the session that the browser had, and never takes over its value', async () => {
    const before = await givenSession();
    const { cookies } = await sendLogin({ ApiKey: SANDBOX_KEY }, { Cookie: `lbs-auth=${before}` });
    expect(cookieValue(cookies[0])).not.toBe(before);
    expect((await call(getState, withCookie(before))).status).toBe(401);
    expect((await call(getState, withCookie(cookieValue(cookies[0])))).status).toBe(200);
  });
});

describe('a login that is refused', () => {
  test.each([
    ['wrong', WRONG],
    ['empty', ''],
    ['right but for its last letter', SANDBOX_KEY.slice(0, -1)],
    ['right and one letter more', `${SANDBOX_KEY}x`],
    ['in another case', SANDBOX_KEY.toUpperCase()],
  ])('answers 401 auth.invalid-credentials and no cookie where the key is %s', async (_, ApiKey) => {
    const { status, json, cookies, headers } = await sendLogin({ ApiKey, ReturnUrl: '/jobs' });
    expect([status, json()]).toMatchObject([401, { code: 'auth.invalid-credentials' }]);
    expect([cookies, headers.location]).toEqual([[], undefined]);
    expect(headers['content-type']).toContain('application/problem+json');
  });

  test.each(['', SANDBOX_KEY])(
    'answers 401 auth.misconfigured while Auth:ApiKey is empty, also to the key %j',
    async (ApiKey) => {
      vi.stubEnv('Auth__ApiKey', '');
      const { status, json, cookies } = await sendLogin({ ApiKey });
      expect([status, json(), cookies]).toMatchObject([401, { code: 'auth.misconfigured' }, []]);
    },
  );

  test('leaves the session that the browser had as it is', async () => {
    const value = await givenSession();
    await sendLogin({ ApiKey: WRONG }, { Cookie: `lbs-auth=${value}` });
    expect((await call(getState, withCookie(value))).status).toBe(200);
  });

  test.each([
    ['auth.invalid-credentials', SANDBOX_KEY, 'The key is wrong.'],
    ['auth.misconfigured', '', 'Nobody can log in'],
  ])('is the form again for a browser, which names text/html: %s', async (_, configured, sentence) => {
    vi.stubEnv('Auth__ApiKey', configured);
    const { status, headers, text, cookies } = await sendLogin(
      { ApiKey: WRONG, ReturnUrl: '/jobs' },
      BROWSER,
    );
    expect([status, cookies]).toEqual([401, []]);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(text).toContain(sentence);
    expect(text).toContain('action="../../api/auth/login"');
    expect(text).toContain('name="ReturnUrl" value="/batch/jobs"');
    expect(text).not.toContain(WRONG);
  });

  test.each(['*/*', 'application/json', 'text/html;q=0', ''])(
    'is a problem for a program, which accepts %j',
    async (Accept) => {
      const { headers } = await sendLogin({ ApiKey: WRONG }, { Accept });
      expect(headers['content-type']).toContain('application/problem+json');
    },
  );

  test.each([
    ['no key', 'ReturnUrl=%2F', 400],
    ['two keys', `ApiKey=${WRONG}&ApiKey=${SANDBOX_KEY}`, 400],
    ['more than a key and a path', `ApiKey=${'x'.repeat(20_000)}`, 413],
  ])('is one with %s in its form', async (_, body, status) => {
    const request = { headers: { 'Content-Type': FORM }, body, address: randomUUID() };
    expect((await call(logIn, request)).status).toBe(status);
  });

  test('is one with JSON: a login is a form', async () => {
    expect((await call(logIn, { json: { ApiKey: SANDBOX_KEY }, address: randomUUID() })).status).toBe(415);
  });
});

describe('the login page', () => {
  const read = (query: Record<string, string | string[]> = {}, headers: Record<string, string> = {}) =>
    call(getLoginPage, { query, headers: { ...BROWSER, ...headers } });

  test('is a form that needs no script, and may be sent to this site alone', async () => {
    const { status, text, headers } = await read();
    expect(status).toBe(200);
    expect(text).toContain('<form class="login" method="post" action="./api/auth/login">');
    expect(text).not.toContain('<script');
    expect(headers['content-security-policy']).toContain("form-action 'self'; frame-ancestors 'none'");
  });

  test.each([
    ['pt-BR', 'Chave do operador'],
    ['en', 'Operator key'],
  ])('speaks %s', async (language, label) => {
    expect((await read({}, { 'Accept-Language': language })).text).toContain(label);
    expect((await read({ lang: language }, { 'Accept-Language': 'xx' })).text).toContain(label);
  });

  test.each([
    ['/jobs?x=%22', '/batch/jobs?x=%22'],
    ['/jobs?x="><script>alert(1)</script>', '/batch/jobs?x=%22%3E%3Cscript%3Ealert(1)%3C/script%3E'],
    ['//evil.example', '/batch/'],
    [['/jobs', '//evil.example'], '/batch/'],
  ])('passes the ReturnUrl %j on as %j', async (ReturnUrl, value) => {
    const { text } = await read({ ReturnUrl });
    expect(text).toContain(`name="ReturnUrl" value="${value}"`);
    expect(text).not.toContain('<script');
  });

  test('offers who is logged in to go on or to log out', async () => {
    const { text } = await read({ ReturnUrl: '/jobs' }, { Cookie: `lbs-auth=${await givenSession()}` });
    expect(text).toContain('href="/batch/jobs"');
    expect(text).toContain('action="./api/auth/logout"');
    expect(text).not.toContain('ApiKey');
  });

  test('reads no store for a visitor without a session', async () => {
    expect(await requestsOf(() => read())).toEqual({});
    expect(await requestsOf(() => read({}, { Cookie: 'lbs-auth=planted' }))).toEqual({});
  });
});

test('no log holds the key, a wrong key or the value of a cookie', async () => {
  vi.stubEnv('Log__Level', 'DEBUG');
  const { result, lines } = await logOf(async () => {
    const value = await givenSession();
    await sendLogin({ ApiKey: WRONG });
    await sendLogin({ ApiKey: WRONG }, BROWSER);
    await call(getState, withCookie(value));
    await call(getState, withCookie(`${value}x`));
    return value;
  });
  expect(lines.length).toBeGreaterThan(4);
  for (const secret of [SANDBOX_KEY, WRONG, result]) expect(JSON.stringify(lines)).not.toContain(secret);
});

describe('while the store is away', () => {
  let away: ReturnType<typeof mockClient>;
  beforeEach(() => {
    away = mockClient(DynamoDBClient);
    away.rejects(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', $metadata: {} }));
  });
  afterEach(() => {
    away.restore();
  });

  test('a browser is shown a page that says so, and a program the problem', async () => {
    const headers = { ...BROWSER, Cookie: `lbs-auth=${'x'.repeat(43)}` };
    const page = await call(getLoginPage, { headers, query: { ReturnUrl: '/jobs' } });
    expect([page.status, page.headers['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    expect(page.text).toContain('The store does not answer in time');
    expect(page.text).toContain('href="./login?ReturnUrl=%2Fbatch%2Fjobs"');
    const problem = await call(getLoginPage, { headers: { ...headers, Accept: 'application/json' } });
    expect([problem.status, problem.json()]).toMatchObject([503, { code: 'store.unavailable' }]);
  });

  test('a login that was sent is answered with that page as well', async () => {
    const body = new URLSearchParams({ ApiKey: SANDBOX_KEY }).toString();
    const headers = { ...BROWSER, 'Content-Type': FORM };
    const { status, text } = await call(logIn, { headers, body, address: randomUUID() });
    expect([status, text.includes('The store does not answer in time')]).toEqual([503, true]);
  });
});
