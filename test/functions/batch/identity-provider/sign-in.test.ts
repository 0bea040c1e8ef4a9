import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { approverSessions } from '../../../../functions/batch/approvals/approver-sessions.ts';
import { handler as leavePortal } from '../../../../functions/batch/approvals/endpoints/leave-portal.ts';
import { handler as getLoginPage } from '../../../../functions/batch/auth/endpoints/get-login-page.ts';
import { handler as logOut } from '../../../../functions/batch/auth/endpoints/log-out.ts';
import { handler as getState } from '../../../../functions/batch/pipeline/endpoints/get-pipeline-state.ts';
import { handler as pause } from '../../../../functions/batch/pipeline/endpoints/pause-pipeline.ts';
import { handler as resume } from '../../../../functions/batch/pipeline/endpoints/resume-pipeline.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import type { Account } from '../../../servers/oidc/accounts.ts';
import { startProvider, useProvider } from '../../../servers/oidc/start-provider.ts';
import { requestsOf } from '../../../shared/store/requests.ts';
import { ownStores } from '../../own-stores.ts';
import { givenSession, sendLogin, withCookie } from '../auth/operator.ts';
import { answerOf, newVisitor } from './visitor.ts';

const BROWSER = { Accept: 'text/html' };

let provider: Awaited<ReturnType<typeof startProvider>>;
let stopStores: () => Promise<void>;
[stopStores, provider] = await Promise.all([ownStores(), startProvider()]);
afterAll(async () => {
  await provider.stop();
  await stopStores();
});
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
  useProvider(provider.issuer);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const opensOperators = async ({ send }: ReturnType<typeof newVisitor>) =>
  (await send(getState)).status === 200;
const opensPortal = async ({ send }: ReturnType<typeof newVisitor>) =>
  (await send(leavePortal, { method: 'POST' })).status === 303;

describe('a sign-in', () => {
  test('leads to the provider with PKCE, state and nonce, and a cookie for the callback alone', async () => {
    const { begin } = newVisitor();
    const { status, headers, cookies } = await begin();
    const location = new URL(headers.location ?? '');
    expect([status, location.origin]).toEqual([302, provider.issuer]);
    expect(Object.fromEntries(location.searchParams)).toEqual({
      client_id: 'sinete-batch',
      redirect_uri: 'http://localhost:3000/batch/api/auth/idp-callback',
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(cookies).toEqual([
      expect.stringMatching(
        /^lbs-idp=[\w-]{43}; Max-Age=600; Path=\/batch\/api\/auth\/idp-callback; HttpOnly; SameSite=Lax$/,
      ),
    ]);
  });

  test.each<[Account, string | undefined, boolean, boolean, string]>([
    ['admin', '/jobs?page=2', true, false, '/batch/jobs?page=2'],
    ['admin', undefined, true, false, '/batch/'],
    ['admin', '/approvals', true, false, '/batch/'],
    ['ana', '/approvals/decided', false, true, '/batch/approvals/decided'],
    ['ana', '/jobs', false, true, '/batch/approvals'],
    ['ana', '/approvalsx', false, true, '/batch/approvals'],
    ['both', undefined, true, true, '/batch/'],
    ['both', '/jobs', true, true, '/batch/jobs'],
    ['both', '/approvals?lang=en', true, true, '/batch/approvals?lang=en'],
  ])(
    'of %s to %j opens operators %j and the portal %j, and leads to %j',
    async (account, to, operators, portal, leadsTo) => {
      const visitor = newVisitor();
      const { status, headers } = await visitor.signIn(account, to);
      expect([status, headers.location]).toEqual([302, leadsTo]);
      expect([...visitor.cookies.keys()]).toEqual([
        ...(operators ? ['lbs-auth'] : []),
        ...(portal ? ['lbs-approver'] : []),
      ]);
      expect([await opensOperators(visitor), await opensPortal(visitor)]).toEqual([operators, portal]);
    },
  );

  test('of an approver is a session of that address as EntraIdEmail, without a second factor', async () => {
    const visitor = newVisitor();
    await visitor.signIn('ana');
    const session = await approverSessions.use(visitor.cookies.get('lbs-approver') ?? '', Date.now());
    expect(session).toEqual({ address: 'ana@sandbox.example', method: 'EntraIdEmail', verifiedAtMs: null });
  });

  test('of an administrator acts in events by the address', async () => {
    const visitor = newVisitor();
    await visitor.signIn('admin');
    await visitor.send(resume, { method: 'POST' });
    const { json } = await visitor.send(pause, { method: 'POST' });
    expect(json()).toMatchObject({ pausedBy: 'admin@sandbox.example' });
    await visitor.send(resume, { method: 'POST' });
  });

  test.each([
    ['en', 'You have no access'],
    ['pt-BR', 'Você não tem acesso'],
  ])('with neither role gives no session, and a page that says so: %s', async (language, title) => {
    const visitor = newVisitor();
    const answer = await answerOf(await visitor.beginAt(), 'nobody');
    visitor.cookies.set('lbs-culture', language);
    const { status, text, cookies } = await visitor.comeBack(answer);
    expect([status, text.includes(title), text.includes('nobody@sandbox.example')]).toEqual([
      403,
      true,
      true,
    ]);
    expect(cookies).toEqual([expect.stringMatching(/^lbs-idp=; Max-Age=0; /)]);
    expect([...visitor.cookies.keys()]).toEqual(['lbs-culture']);
  });

  test('replaces the session that the browser had, and never takes over its value', async () => {
    const visitor = newVisitor();
    await visitor.signIn('admin');
    const before = visitor.cookies.get('lbs-auth') ?? '';
    await visitor.signIn('admin');
    expect(visitor.cookies.get('lbs-auth')).not.toBe(before);
    expect([
      await opensOperators(visitor),
      (await visitor.send(getState, withCookie(before))).status,
    ]).toEqual([true, 401]);
  });

  test('ends by a logout', async () => {
    const visitor = newVisitor();
    await visitor.signIn('admin');
    const value = visitor.cookies.get('lbs-auth') ?? '';
    expect((await visitor.send(logOut, { method: 'POST' })).status).toBe(303);
    expect((await visitor.send(getState, withCookie(value))).status).toBe(401);
  });

  test('never opens the other half: the cookies of an approver and an operator do not stand for each other', async () => {
    const [operator, approver] = [newVisitor(), newVisitor()];
    await operator.signIn('admin');
    await approver.signIn('ana');
    const [operatorValue, approverValue] = [
      operator.cookies.get('lbs-auth') ?? '',
      approver.cookies.get('lbs-approver') ?? '',
    ];
    expect((await approver.send(getState, withCookie(approverValue))).status).toBe(401);
    const headers = { ...BROWSER, Cookie: `lbs-approver=${operatorValue}` };
    expect((await operator.send(leavePortal, { method: 'POST', headers })).status).toBe(401);
  });

  test('reads the metadata and the keys of the provider once in a process', async () => {
    await newVisitor().signIn('admin');
    const visitor = newVisitor();
    const fetched = await requestsOf(async () => {
      await visitor.signIn('admin');
    });
    // One item is put and deleted, one session is put, and two rates are counted.
    expect(fetched).toEqual({ UpdateItem: 2, PutItem: 2, GetItem: 1, DeleteItem: 1 });
  });

  test('leads below the base URL alone, whatever its ReturnUrl is', async () => {
    const attempts = [
      '//evil.example',
      'https://evil.example',
      '/\\evil.example',
      '/..//evil.example',
      '/%2f/evil.example',
    ];
    for (const attempt of attempts) {
      const visitor = newVisitor();
      const { headers } = await visitor.signIn('admin', attempt);
      expect([attempt, headers.location]).toEqual([attempt, '/batch/']);
    }
    const visitor = newVisitor();
    const { headers } = await visitor.begin({ ReturnUrl: ['/jobs', '//evil.example'] });
    const answer = await answerOf(new URL(headers.location ?? ''), 'admin');
    expect((await visitor.comeBack(answer)).headers.location).toBe('/batch/');
  });
});

describe('with a provider', () => {
  test.each([
    ['a browser', BROWSER],
    ['a program', { Accept: 'application/json' }],
  ])(
    'a login with the key gives %s no cookie, right key or wrong, and leads to the provider',
    async (_, headers) => {
      for (const ApiKey of [SANDBOX_KEY, 'another-operator-key']) {
        const answer = await sendLogin({ ApiKey, ReturnUrl: '/jobs' }, headers);
        expect([answer.status, answer.headers.location, answer.cookies]).toEqual([
          303,
          '/batch/api/auth/idp-login?ReturnUrl=%2Fbatch%2Fjobs',
          [],
        ]);
      }
    },
  );

  test('the key works as before', async () => {
    const { send } = newVisitor();
    const byKey = (key: string) => send(getState, { headers: { 'X-API-Key': key } });
    expect([(await byKey(SANDBOX_KEY)).status, (await byKey('another')).status]).toEqual([200, 401]);
  });

  test('a session that the key began before does not count any more', async () => {
    vi.stubEnv('Idp__Authority', undefined);
    const value = await givenSession();
    const { send } = newVisitor();
    expect((await send(getState, withCookie(value))).status).toBe(200);
    useProvider(provider.issuer);
    expect((await send(getState, withCookie(value))).status).toBe(401);
  });

  test.each([
    [{}, false],
    [{ problem: 'idp' }, true],
    [{ problem: 'other' }, false],
  ])(
    'the login page has its button in place of the form; for %j it says %j that it does not answer',
    async (query, isSaid) => {
      const { send } = newVisitor();
      const { status, text } = await send(getLoginPage, { query: { ...query, ReturnUrl: '/jobs' } });
      expect([status, text.includes('role="alert"')]).toEqual([200, isSaid]);
      expect(text).toContain('href="/batch/api/auth/idp-login?ReturnUrl=%2Fbatch%2Fjobs"');
      expect(text).not.toContain('ApiKey');
    },
  );
});
