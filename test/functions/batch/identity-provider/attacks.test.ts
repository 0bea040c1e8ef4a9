import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { approverSessions } from '../../../../functions/batch/approvals/approver-sessions.ts';
import { SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import type { Answered } from '../../../requests/http-event.ts';
import { CLIENT } from '../../../servers/oidc/accounts.ts';
import { startScriptedProvider } from '../../../servers/oidc/scripted-provider.ts';
import { startProvider, useProvider } from '../../../servers/oidc/start-provider.ts';
import { logOf } from '../../../shared/http/log-of.ts';
import { answerOf, newVisitor } from './visitor.ts';

const providers: { readonly issuer: string; readonly stop: () => Promise<unknown> }[] = [];
let [issuer, otherIssuer] = ['', ''];
const [one, other] = await Promise.all([startProvider(), startProvider()]);
const scripted = await startScriptedProvider();
providers.push(one, other, scripted);
[issuer, otherIssuer] = [one.issuer, other.issuer];
afterAll(async () => {
  await Promise.all(providers.map(({ stop }) => stop()));
});
beforeEach(() => {
  vi.stubEnv('Auth__ApiKey', SANDBOX_KEY);
  useProvider(issuer);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

const SESSIONS = /^lbs-(auth|approver)=/;

/** The page for every sign-in that did not work: it gives no session, and no reason. */
function expectRefused({ status, text, cookies, headers }: Answered): void {
  expect([status, headers.location]).toEqual([400, undefined]);
  expect(text).toContain('The sign-in did not work');
  expect(cookies.filter((cookie) => SESSIONS.test(cookie))).toEqual([]);
  // The head of every page says what Sinete is for.
  const body = text.slice(text.indexOf('<body'));
  expect(body).not.toMatch(/nonce|signature|issuer|token|access_denied/);
}

describe('a callback is refused', () => {
  test.each(['', 'forged', 'A'.repeat(43), '../../x'])('whose state is forged: %j', async (state) => {
    const visitor = newVisitor();
    const answer = await answerOf(await visitor.beginAt(), 'admin');
    const forged = new URL(answer);
    forged.searchParams.set('state', state);
    expectRefused(await visitor.comeBack(forged));
    forged.searchParams.delete('state');
    expectRefused(await visitor.comeBack(forged));
    // A page of another site that forges one does not end the sign-in that was begun.
    expect((await visitor.comeBack(answer)).status).toBe(302);
  });

  test('that has a parameter twice', async () => {
    for (const name of ['state', 'code', 'iss']) {
      const visitor = newVisitor();
      const answer = await answerOf(await visitor.beginAt(), 'admin');
      answer.searchParams.append(name, answer.searchParams.get(name) ?? '');
      expectRefused(await quietly(() => visitor.comeBack(answer)));
    }
  });

  // Login CSRF: an attacker sends the own answer of the provider to the browser of another person.
  test('in a browser that did not begin the sign-in, without its cookie or with one of its own', async () => {
    const [attacker, victim] = [newVisitor(), newVisitor()];
    const answer = await answerOf(await attacker.beginAt(), 'admin');
    expectRefused(await victim.comeBack(answer));
    await victim.begin();
    expectRefused(await victim.comeBack(answer));
    expect([...victim.cookies.keys()]).toEqual(['lbs-idp']);
  });

  test('ten minutes after the sign-in was begun', async () => {
    const visitor = newVisitor();
    const startMs = Date.now();
    const answer = await answerOf(await visitor.beginAt(), 'admin');
    vi.useFakeTimers({ toFake: ['Date'], now: startMs + 601_000 });
    expectRefused(await visitor.comeBack(answer));
  });

  // Mix-up attack (RFC 9207): the browser is led to another provider, whose answer comes back to our callback.
  test('with the answer of another provider', async () => {
    const visitor = newVisitor();
    const authorization = await visitor.beginAt();
    const elsewhere = new URL(authorization.pathname + authorization.search, otherIssuer);
    const answer = await answerOf(elsewhere, 'admin');
    expect(answer.searchParams.get('iss')).toBe(otherIssuer);
    expectRefused(await quietly(() => visitor.comeBack(answer)));
  });

  test.each([
    ['another', (url: URL) => url.searchParams.set('iss', otherIssuer)],
    ['no', (url: URL) => url.searchParams.delete('iss')],
  ])('that names %s issuer', async (_, change) => {
    const visitor = newVisitor();
    const answer = await answerOf(await visitor.beginAt(), 'admin');
    change(answer);
    expectRefused(await quietly(() => visitor.comeBack(answer)));
  });

  test('of a sign-in that was begun at another provider than the one of the settings now', async () => {
    const visitor = newVisitor();
    const answer = await answerOf(await visitor.beginAt(), 'admin');
    useProvider(otherIssuer);
    expectRefused(await visitor.comeBack(answer));
  });

  test('with the code of another sign-in', async () => {
    const [victim, attacker] = [newVisitor(), newVisitor()];
    const stolen = await answerOf(await victim.beginAt(), 'admin');
    const own = await answerOf(await attacker.beginAt(), 'ana');
    own.searchParams.set('code', stolen.searchParams.get('code') ?? '');
    expectRefused(await quietly(() => attacker.comeBack(own)));
  });

  test('with a token that was made for another nonce', async () => {
    const visitor = newVisitor();
    const authorization = await visitor.beginAt();
    authorization.searchParams.set('nonce', 'another-nonce');
    const answer = await answerOf(authorization, 'admin');
    expectRefused(await quietly(() => visitor.comeBack(answer)));
  });

  test('where the provider answers an error; the log has its code, and no text of it', async () => {
    const visitor = newVisitor();
    const answer = await answerOf(await visitor.beginAt(), 'somebody who cancels');
    expect(answer.searchParams.get('error')).toBe('access_denied');
    const { result, lines } = await logOf(() => visitor.comeBack(answer));
    expectRefused(result);
    expect(lines).toMatchObject([{ level: 'WARN', providerError: 'access_denied' }]);
    expect(JSON.stringify(lines)).not.toContain('The person canceled.');
  });
});

const quietly = async (work: () => Promise<Answered>) => (await logOf(work)).result;

describe('of a provider that gives tokens of any kind', () => {
  beforeEach(() => useProvider(scripted.issuer));

  type Change = Readonly<Record<string, unknown>>;
  const begun = async () => {
    const visitor = newVisitor();
    const { searchParams } = await visitor.beginAt('/approvals');
    const answer = new URL(CLIENT.callbacks[0]);
    answer.searchParams.set('state', searchParams.get('state') ?? '');
    answer.searchParams.set('code', 'a-code-of-the-provider');
    return { visitor, answer, claims: scripted.claimsFor(searchParams.get('nonce') ?? '') };
  };
  const signInWith = async (change: Change) => {
    const { visitor, answer, claims } = await begun();
    scripted.gives({ ...claims, ...change });
    return { visitor, answer: await quietly(() => visitor.comeBack(answer)) };
  };
  const MINUTE_SECONDS = 60;
  const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

  test('a right one signs in', async () => {
    expect((await signInWith({})).answer.status).toBe(302);
  });

  // This provider takes a code any number of times: only the state stands between a replay and a session.
  test('a callback that is replayed is refused, also by the browser that it was for', async () => {
    const { visitor, answer, claims } = await begun();
    scripted.gives(claims);
    const pending = visitor.cookies.get('lbs-idp') ?? '';
    expect((await visitor.comeBack(answer)).status).toBe(302);
    visitor.cookies.clear();
    visitor.cookies.set('lbs-idp', pending);
    expectRefused(await visitor.comeBack(answer));
  });

  test('of a callback that is sent five times at once, one signs in', async () => {
    const { visitor, answer, claims } = await begun();
    scripted.gives(claims);
    const answers = await Promise.all(Array.from({ length: 5 }, () => visitor.comeBack(answer)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([302, 400, 400, 400, 400]);
  });

  test.each<[string, () => Change]>([
    ['of another audience', () => ({ aud: 'another-client' })],
    ['of several audiences, for another party', () => ({ aud: [CLIENT.id, 'other'], azp: 'other' })],
    ['of another issuer', () => ({ iss: 'https://evil.example' })],
    ['that has expired', () => ({ exp: inSeconds(-2 * MINUTE_SECONDS) })],
    ['that is not valid yet', () => ({ nbf: inSeconds(2 * MINUTE_SECONDS) })],
    ['without an end', () => ({ exp: undefined })],
    ['without a nonce', () => ({ nonce: undefined })],
    ['without an address', () => ({ email: undefined })],
    ['whose address is none', () => ({ email: 'ana' })],
    [
      'whose user name alone is an address',
      () => ({ email: undefined, preferred_username: 'ana@sandbox.example' }),
    ],
    ['whose address is not said to be verified', () => ({ email_verified: undefined })],
    ['whose address is not verified', () => ({ email_verified: false })],
    ['whose address is not verified, as text', () => ({ email_verified: 'false' })],
  ])('one %s is refused', async (_, change) => {
    expectRefused((await signInWith(change())).answer);
  });

  test.each(['HS256', 'none'] as const)('one with the algorithm %s is refused', async (alg) => {
    const { visitor, answer, claims } = await begun();
    scripted.gives(claims, alg);
    expectRefused(await quietly(() => visitor.comeBack(answer)));
  });

  test('one that another key signed is refused', async () => {
    const { visitor, answer, claims } = await begun();
    scripted.gives(claims, 'RS256', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey);
    expectRefused(await quietly(() => visitor.comeBack(answer)));
  });

  test.each<[string, Change]>([
    ['email', { email: 'Ana@Sandbox.example', preferred_username: 'x@sandbox.example' }],
    ['email', { email: 'Ana@Sandbox.example', email_verified: 'true' }],
    ['preferred_username', { email: 'x@sandbox.example', preferred_username: 'ANA@sandbox.example' }],
    ['upn', { email: undefined, email_verified: undefined, upn: 'ana@sandbox.example' }],
  ])('the address is the claim %s where Idp:AddressClaim says so, in lower case', async (claim, change) => {
    vi.stubEnv('Idp__AddressClaim', claim);
    const { visitor } = await signInWith(change);
    const session = await approverSessions.use(visitor.cookies.get('lbs-approver') ?? '', Date.now());
    expect(session?.address).toBe('ana@sandbox.example');
  });

  test.each<[string, Change]>([
    ['preferred_username', { preferred_username: undefined }],
    ['preferred_username', { preferred_username: 'SANDBOX\\ana' }],
    ['preferred_username', { preferred_username: 'ana@sandbox.example', email_verified: false }],
  ])('an address in the claim %s is refused like any other', async (claim, change) => {
    vi.stubEnv('Idp__AddressClaim', claim);
    expectRefused((await signInWith(change)).answer);
  });

  test.each<[string, Change, readonly string[]]>([
    ['one role as text', { roles: 'Approver' }, ['lbs-approver']],
    ['two roles in one text', { roles: 'Approver Administrator' }, []],
    ['a role in another case', { roles: ['approver', 'ADMINISTRATOR'] }, []],
    ['a role with a blank', { roles: [' Administrator'] }, []],
    ['no claim', { roles: undefined }, []],
    ['an object', { roles: { Administrator: true } }, []],
    ['the roles in another claim', { roles: undefined, groups: ['Administrator'] }, []],
  ])('roles are compared exactly: %s', async (_, change, opened) => {
    const { visitor, answer } = await signInWith(change);
    expect(answer.status).toBe(opened.length > 0 ? 302 : 403);
    expect([...visitor.cookies.keys()]).toEqual(opened);
  });

  test('roles are read from the claim that Idp:RolesClaim names', async () => {
    vi.stubEnv('Idp__RolesClaim', 'groups');
    const { visitor } = await signInWith({ roles: ['Approver'], groups: ['Administrator'] });
    expect([...visitor.cookies.keys()]).toEqual(['lbs-auth']);
  });

  test('an address with markup in it is text on the page', async () => {
    const { answer } = await signInWith({ roles: [], email: "o'neil+<b>@sandbox.example" });
    expect(answer.text).not.toContain('<b>');
  });

  test('no log holds a code, a state, a token, the secret of the client or a cookie', async () => {
    vi.stubEnv('Log__Level', 'DEBUG');
    const { result: secrets, lines } = await logOf(async () => {
      const kept: string[] = [];
      for (const change of [{}, { aud: 'another-client' }]) {
        const { visitor, answer, claims } = await begun();
        kept.push(scripted.gives({ ...claims, ...change }), String(claims.nonce));
        kept.push(...answer.searchParams.values(), ...visitor.cookies.values());
        await visitor.comeBack(answer);
        kept.push(...visitor.cookies.values());
      }
      return [...kept, CLIENT.secret, 'an-access-token'];
    });
    expect(lines.length).toBeGreaterThan(3);
    for (const secret of secrets) expect(JSON.stringify(lines)).not.toContain(secret);
  });
});
