import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { registerValue, setDisabled, unregisterValue } from '../../../shared/access/administration.ts';
import { clockAhead, setting } from '../session/own-settings.ts';
import { anotherKey } from './another-key.ts';
import {
  authUrlAt,
  availabilityAt,
  CPF,
  certificateOf,
  comeBack,
  decideAtProvider,
  RETURN,
  refusal,
  returnedQuery,
} from './calls.ts';
import type { Interference } from './providers-server.ts';
import { useHubStage } from './stage.ts';

const stage = useHubStage();

const tokenCalls = () => stage.providers.calls.filter((call) => call.endsWith(' token'));
const isPage = ({ status, headers }: Awaited<ReturnType<typeof comeBack>>) => [
  status,
  headers.location,
  headers['content-type'],
];
const A_PAGE = [400, undefined, 'text/html; charset=utf-8'];

describe('a user who comes back', () => {
  test('having approved is sent on with a session, which no cache and no other site sees', async () => {
    const answer = await comeBack(await decideAtProvider(await authUrlAt('alpha')));
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toMatch(/^http:\/\/localhost:9999\/return\?session=[\w-]{43}$/);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
  });

  test('to an address with a query and a fragment finds both as they were', async () => {
    const redirectUri = 'https://app.example/return?tenant=7#top';
    const key = await anotherKey('with-a-query', [redirectUri]);
    const { headers } = await comeBack(
      await decideAtProvider(await authUrlAt('alpha', { redirectUri }, key)),
    );
    expect(headers.location).toMatch(/^https:\/\/app\.example\/return\?tenant=7&session=[\w-]{43}#top$/);
  });

  test('having denied is sent on without a session and with an error', async () => {
    const answer = await comeBack(await decideAtProvider(await authUrlAt('alpha'), 'deny'));
    expect([answer.status, answer.headers.location]).toEqual([302, `${RETURN}?error=access_denied`]);
    expect(tokenCalls()).toEqual([]);
  });

  test('with any other error is sent on with one that is ours', async () => {
    const { state = '' } = await decideAtProvider(await authUrlAt('alpha'));
    const answer = await comeBack({ state, error: 'server_error"><script>', code: 'x' });
    expect(answer.headers.location).toBe(`${RETURN}?error=provider_error`);
    expect(tokenCalls()).toEqual([]);
  });

  test.each<[string, Interference]>([
    ['answers an error', { status: 500, body: '{}' }],
    ['answers a page', { status: 200, body: '<html>' }],
    ['breaks the line', 'hang-up'],
    ['says nothing', 'silence'],
  ])('to a provider that %s is sent on with an error, and has to begin anew', async (_, interference) => {
    setting('Providers:TokenTimeout', '1');
    stage.providers.interfere = (call) => (call.endsWith(' token') ? interference : undefined);
    const brought = await decideAtProvider(await authUrlAt('alpha'));
    expect((await comeBack(brought)).headers.location).toBe(`${RETURN}?error=provider_error`);
    stage.providers.interfere = () => undefined;
    expect(isPage(await comeBack(brought))).toEqual(A_PAGE);
  });

  test('with an error that is empty brings none', async () => {
    const brought = await decideAtProvider(await authUrlAt('alpha'));
    expect(returnedQuery(await comeBack({ ...brought, error: '' })).session).toBeDefined();
  });

  test.each([
    [
      'whose address was unregistered',
      (name: string) => unregisterValue('hub', name, 'redirectUris', RETURN),
    ],
    ['that was disabled', (name: string) => setDisabled('hub', name, true)],
  ])('to an application %s meanwhile finds a page, and nobody gets a session', async (_, end) => {
    const name = `ended-${randomUUID()}`;
    const key = await anotherKey(name);
    const [approved, denied] = [
      await decideAtProvider(await authUrlAt('alpha', {}, key)),
      await decideAtProvider(await authUrlAt('alpha', {}, key), 'deny'),
    ];
    await end(name);
    for (const brought of [approved, denied]) expect(isPage(await comeBack(brought))).toEqual(A_PAGE);
    expect(tokenCalls()).toEqual([]);
    // What came back once is of no more use.
    await setDisabled('hub', name, false);
    await registerValue('hub', name, 'redirectUris', RETURN);
    expect(isPage(await comeBack(approved))).toEqual(A_PAGE);
  });

  test('without a code finds a page, and can still come back with one', async () => {
    const brought = await decideAtProvider(await authUrlAt('alpha'));
    expect(isPage(await comeBack({ state: brought.state ?? '' }))).toEqual(A_PAGE);
    expect(returnedQuery(await comeBack(brought)).session).toBeDefined();
  });

  test('a day after the end finds a page, whatever the store has cleared away', async () => {
    const brought = await decideAtProvider(await authUrlAt('alpha'));
    clockAhead(300_000 + 86_400_000);
    expect(isPage(await comeBack(brought))).toEqual(A_PAGE);
  });

  test.each([
    ['en-US', 'en', 'This authorization is over'],
    ['pt-BR', 'pt-BR', 'Esta autorização já terminou'],
  ])('by an address that is of no use finds a page in %s', async (wished, language, title) => {
    const { text, headers } = await comeBack({ state: 'x' }, { 'accept-language': wished });
    expect(headers['content-language']).toBe(language);
    expect(text).toContain(`<h1>${title}</h1>`);
    expect((await comeBack({ lang: wished })).text).toContain(title);
  });
});

describe('an attacker', () => {
  test('with a state that was never given out finds a page, and no provider is asked', async () => {
    const { code = '' } = await decideAtProvider(await authUrlAt('alpha'));
    for (const state of ['', 'x', 'A'.repeat(43), 'A'.repeat(100_000)])
      expect(isPage(await comeBack({ state, code }))).toEqual(A_PAGE);
    expect(tokenCalls()).toEqual([]);
  });

  test('who sends a value twice is not read at all', async () => {
    const { state = '', code = '' } = await decideAtProvider(await authUrlAt('alpha'));
    expect(isPage(await comeBack({ state: [state, state], code }))).toEqual(A_PAGE);
    expect(isPage(await comeBack({ state, code: [code, 'x'] }))).toEqual(A_PAGE);
    expect(isPage(await comeBack({ state, code, error: ['access_denied', 'x'] }))).toEqual(A_PAGE);
    expect(tokenCalls()).toEqual([]);
  });

  test('who brings what can be no code finds a page, and no provider is asked', async () => {
    const { state = '' } = await decideAtProvider(await authUrlAt('alpha'));
    for (const code of ['', 'a\u0000b', 'a\nb', 'é', 'x'.repeat(8_193)])
      expect(isPage(await comeBack({ state, code }))).toEqual(A_PAGE);
    expect(tokenCalls()).toEqual([]);
  });

  test('who has read the address that a user came back by cannot come back by it again', async () => {
    const brought = await decideAtProvider(await authUrlAt('alpha'));
    const { session = '' } = returnedQuery(await comeBack(brought));
    expect(isPage(await comeBack(brought))).toEqual(A_PAGE);
    expect(isPage(await comeBack({ ...brought, code: 'another' }))).toEqual(A_PAGE);
    expect(isPage(await comeBack({ state: brought.state ?? '', error: 'access_denied' }))).toEqual(A_PAGE);
    // Nor does the provider see the code twice, which would kill the token.
    expect(tokenCalls()).toEqual(['alpha token']);
    expect((await certificateOf(session)).status).toBe(200);
  });

  // Twenty read an authorization that waits; each changes it before the code is exchanged, and the store lets one.
  test('who is as quick as the user has one session made for both at most', async () => {
    const brought = await decideAtProvider(await authUrlAt('alpha'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => comeBack(brought)));
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
    expect(tokenCalls()).toEqual(['alpha token']);
  });

  test('who mixes providers up gets nothing for the code of one with the state of the other', async () => {
    const atAlpha = await decideAtProvider(await authUrlAt('alpha'));
    const atBeta = await decideAtProvider(await authUrlAt('beta'));
    const mixed = { state: atAlpha.state ?? '', code: atBeta.code ?? '' };
    expect((await comeBack(mixed)).headers.location).toBe(`${RETURN}?error=provider_error`);
    expect(tokenCalls()).toEqual(['alpha token']);
    // The user of beta is not harmed.
    expect(returnedQuery(await comeBack(atBeta)).session).toBeDefined();
  });

  test("who slips a code of their own to a user's return gets nothing: it was asked for with another challenge", async () => {
    const victims = await decideAtProvider(await authUrlAt('alpha'));
    const own = await decideAtProvider(await authUrlAt('alpha'));
    const injected = { state: victims.state ?? '', code: own.code ?? '' };
    expect((await comeBack(injected)).headers.location).toBe(`${RETURN}?error=provider_error`);
  });

  test('who has an application, and makes a provider fail by it, is cut off alone', async () => {
    setting('Providers:CircuitFailures', '1');
    const key = await anotherKey('that-fails');
    const askAll = async (whose?: string) => {
      const { session = 'none' } = returnedQuery(
        await comeBack(await decideAtProvider(await authUrlAt('alpha', {}, whose))),
      );
      const answers = await Promise.all([
        certificateOf(session, whose),
        availabilityAt('alpha', { identifier: CPF }, whose),
      ]);
      const { discoveryAvailable } = answers[1].json() as Record<string, unknown>;
      return [answers[0].status, discoveryAvailable];
    };
    const failing = ['alpha certificate-discovery', 'alpha user-discovery'];
    stage.providers.interfere = (call) => (failing.includes(call) ? { status: 500, body: '{}' } : undefined);
    expect(await askAll(key)).toEqual([500, false]);
    failing.push('alpha token');
    await comeBack(await decideAtProvider(await authUrlAt('alpha', {}, key)));
    stage.providers.interfere = () => undefined;
    expect(await askAll()).toEqual([200, true]);

    stage.providers.calls.length = 0;
    expect(await askAll(key)).toEqual([422, false]);
    expect(stage.providers.calls).toEqual(['alpha authorize']);
  });

  test.each(['redirectUri', 'redirect_uri', 'returnUrl', 'session'])(
    'who adds %s to the address changes neither where the user goes nor the session',
    async (name) => {
      const fixed = 'https://evil.example/?A'.padEnd(43, 'A');
      const brought = { ...(await decideAtProvider(await authUrlAt('alpha'))), [name]: fixed };
      const { location = '' } = (await comeBack(brought)).headers;
      expect(location).toMatch(/^http:\/\/localhost:9999\/return\?session=[\w-]{43}$/);
      expect(location).not.toContain('evil');
      expect(refusal(await certificateOf(fixed))).toEqual([422, 'SessionInvalidOrAlreadyUsed']);
    },
  );

  test('who fixes a value before the user authorizes finds it unknown: no session has a value before it begins', async () => {
    const { state = '' } = Object.fromEntries(new URL(await authUrlAt('alpha')).searchParams);
    expect(refusal(await certificateOf(state))).toEqual([422, 'SessionInvalidOrAlreadyUsed']);
  });
});
