import { describe, expect, test, vi } from 'vitest';
import { listProviders, providers } from '../../../functions/hub/domain/providers/provider.ts';
import { GUEST_KEY } from '../../../functions/sandbox/sandbox-data.ts';
import { dynamo } from '../../../shared/store/client.ts';
import { forFile } from '../../runner/for-file.ts';
import {
  authUrlAt,
  availabilityAt,
  CNPJ,
  CPF,
  createAt,
  createSession,
  listServices,
  namesIn,
  RETURN,
  refusal,
  servicesIn,
} from './calls.ts';
import { hubStage } from './stage.ts';

const queryOf = (authUrl: string) => Object.fromEntries(new URL(authUrl).searchParams);
const fieldsIn = (answer: { json(): unknown }) => (answer.json() as { errors: unknown }).errors;
const DAY_SECONDS = 86_400;
const CALLS_AT_ONCE = 32; // Providers:MaxConcurrentCalls
const CIRCUIT_FAILURES = 5;

const stage = await forFile(hubStage());
vi.stubEnv('Providers__CircuitFailures', String(CIRCUIT_FAILURES));
vi.stubEnv('Providers__CircuitOpenFor', '600');

// First of all: from then on gamma is left alone, and no other test waits for it.
test('two hundred creations side by side find alpha while gamma hangs, within the time that gamma is given', async () => {
  // Everything runs in one process here, which is busy for longer than a second, and longer than a call may wait.
  vi.stubEnv('Throttle__QueueWait', '60');
  for (const provider of await listProviders())
    if (provider.name !== 'gamma') await providers.change(provider, { timeouts: { discoverySeconds: 60 } });
  const answers = await Promise.all(Array.from({ length: 200 }, () => createSession({ identifier: CPF })));
  expect(new Set(answers.map((answer) => namesIn(answer).join()))).toEqual(new Set(['alpha']));
  // So many calls hang at once, a few more until it is clear that gamma does not answer, and then none: whoever waited
  // for a place went on without gamma when its own time was over.
  const { calls } = stage.providers;
  const hung = calls.filter((call) => call.startsWith('gamma')).length;
  expect(hung).toBeLessThanOrEqual(CALLS_AT_ONCE + CIRCUIT_FAILURES);
  await createSession({ identifier: CPF });
  expect(calls.filter((call) => call.startsWith('gamma')).length).toBe(hung);
});

describe('POST /api/sessions', () => {
  test('without an identifier returns every provider, each with where to send the user', async () => {
    const answer = await createSession();
    expect(answer.status).toBe(200);
    expect(namesIn(answer)).toEqual(['alpha', 'beta', 'gamma']);
    const [alpha, beta] = servicesIn(answer);
    const endpoint = `${stage.providers.url}/sandbox/providers/alpha/v0/oauth`;
    expect(alpha).toEqual({
      serviceInfo: { serviceName: 'alpha', provider: 'Alpha Certificates', endpoint, badgeUrl: null },
      authUrl: expect.stringMatching(`^${endpoint}/authorize\\?`),
    });
    const query = queryOf(alpha?.authUrl ?? '');
    expect(query).toEqual({
      response_type: 'code',
      client_id: 'sinete-hub',
      redirect_uri: `${stage.providers.url}/hub/api/sessions/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      scope: 'single_signature',
      lifetime: '300',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    const other = queryOf(beta?.authUrl ?? '');
    expect([other.state, other.code_challenge]).not.toContain(query.state);
    expect(other.code_challenge).not.toBe(query.code_challenge);
  });

  test.each([
    ['a CPF', { identifier: CPF }, ['alpha']],
    ['a CPF and what it is', { identifier: CPF, identifierType: 'CPF' }, ['alpha']],
    ['more than 11 digits, which are a CNPJ', { identifier: CNPJ }, ['beta']],
    ['a CNPJ by its number of older clients', { identifier: CNPJ, identifierType: 2 }, ['beta']],
    ['a CPF by its number', { identifier: CPF, identifierType: 1 }, ['alpha']],
    ['one that nobody holds', { identifier: '11144477735' }, []],
    ['a CPF with punctuation', { identifier: '529.982.247-25' }, ['alpha']],
    [
      'a CNPJ with punctuation',
      { identifier: CNPJ.replace(/^(..)(...)(...)(....)/, '$1.$2.$3/$4-') },
      ['beta'],
    ],
    ['a CNPJ with letters', { identifier: '12ABC34501DE35' }, []],
  ])('with %s returns only the providers that hold a certificate for it', async (_, body, names) => {
    const answer = await createSession(body);
    expect(answer.status).toBe(200);
    expect(namesIn(answer)).toEqual(names);
  });

  test('passes the identifier on to the provider that holds its certificate', async () => {
    const [alpha] = servicesIn(await createSession({ identifier: CPF, discover: true }));
    expect(queryOf(alpha?.authUrl ?? '').login_hint).toBe(CPF);
  });

  test('with discover false returns every provider, and the identifier is a login hint at each', async () => {
    const answer = await createSession({ identifier: CPF, discover: false });
    expect(namesIn(answer)).toEqual(['alpha', 'beta', 'gamma']);
    expect(servicesIn(answer).map(({ authUrl }) => queryOf(authUrl).login_hint)).toEqual([CPF, CPF, CPF]);
  });

  test('refuses discover without an identifier with 422 IdentifierRequiredToDiscover', async () => {
    expect(refusal(await createSession({ discover: true }))).toEqual([422, 'IdentifierRequiredToDiscover']);
  });

  test('takes null for everything that may be left out', async () => {
    const [identifier, identifierType, type, lifetimeInSeconds, customState, discover] = Array(6).fill(null);
    const body = { identifier, identifierType, type, lifetimeInSeconds, customState, discover };
    expect(namesIn(await createSession(body))).toEqual(['alpha', 'beta', 'gamma']);
  });

  test.each([
    ['with a mask', { identifier: '***.982.247-**' }, /^must be a CPF or a CNPJ, such as/],
    ['with wrong check digits', { identifier: '52998224726' }, /^is not a CPF: .*check digits/],
    ['too short', { identifier: '5299822472' }, /^is not a CPF: its length/],
    ['empty', { identifier: '' }, /^must be a CPF or a CNPJ/],
    ['of another type than is said', { identifier: CPF, identifierType: 'CNPJ' }, /^is a CPF: send CPF as/],
    ['of another type than is said', { identifier: CNPJ, identifierType: 'CPF' }, /^is a CNPJ: send CNPJ as/],
  ])('answers 400 that says of identifier why, when it is %s', async (_, body, why) => {
    const answer = await createSession(body);
    expect([answer.status, fieldsIn(answer)]).toEqual([400, { identifier: [expect.stringMatching(why)] }]);
  });

  test('answers 400 that lists every field which is missing or malformed', async () => {
    const answer = await createSession({
      redirectUri: undefined,
      identifierType: 'RG',
      type: 5,
      lifetimeInSeconds: 0,
      discover: 'yes',
    });
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8');
    expect(fieldsIn(answer)).toEqual({
      redirectUri: ['is required'],
      identifierType: ['must be one of CPF, CNPJ, or a number from 1 to 2'],
      type: [expect.stringContaining('SingleSignature')],
      lifetimeInSeconds: [expect.any(String)],
      discover: [expect.any(String)],
    });
  });

  test.each([null, ''])('answers 400 when redirectUri is %j', async (redirectUri) => {
    expect(Object.keys(fieldsIn(await createSession({ redirectUri })) as object)).toEqual(['redirectUri']);
  });

  test('refuses a redirectUri that is not absolute with 422 InvalidRedirectUri', async () => {
    expect(refusal(await createSession({ redirectUri: '/return' }))).toEqual([422, 'InvalidRedirectUri']);
  });

  test('refuses a redirectUri that is not registered for the key with 422 and shows it', async () => {
    const redirectUri = `${RETURN}/elsewhere`;
    expect((await createSession({ redirectUri })).json()).toEqual({
      code: 'UnauthorizedRedirectUri',
      message: expect.any(String),
      details: { redirectUri },
    });
    expect(refusal(await createSession({}, GUEST_KEY))).toEqual([422, 'UnauthorizedRedirectUri']);
  });

  test('keeps what it begins at all providers by one write', async () => {
    const written: string[] = [];
    dynamo().middlewareStack.add(
      (next, { commandName = '' }) =>
        (args) => {
          if (!/^(Get|Query)/.test(commandName)) written.push(commandName);
          return next(args);
        },
      { step: 'initialize', name: 'counting' },
    );
    await createSession();
    await createAt('alpha');
    dynamo().middlewareStack.remove('counting');
    expect(written).toEqual(['TransactWriteItemsCommand', 'PutItemCommand']);
  });
});

describe('the wish for a session', () => {
  test.each([
    [undefined, 'single_signature'],
    ['SingleSignature', 'single_signature'],
    ['MultiSignature', 'multi_signature'],
    ['SignatureSession', 'signature_session'],
    ['AuthenticationSession', 'authentication_session'],
    [1, 'single_signature'],
    [2, 'multi_signature'],
    [3, 'signature_session'],
    [4, 'authentication_session'],
  ])('the type %j asks the provider for %s', async (type, scope) => {
    expect(queryOf(await authUrlAt('alpha', { type })).scope).toBe(scope);
  });

  test.each([
    ['the default', {}, 300],
    ['what is asked for', { lifetimeInSeconds: 1800 }, 1800],
    ['7 days at most for a CPF', { lifetimeInSeconds: 31 * DAY_SECONDS, identifier: CPF }, 7 * DAY_SECONDS],
    ['30 days at most for a CNPJ', { lifetimeInSeconds: 2 ** 31 - 1, identifier: CNPJ }, 30 * DAY_SECONDS],
    ['30 days at most for anyone', { lifetimeInSeconds: 31 * DAY_SECONDS }, 30 * DAY_SECONDS],
  ])('its lifetime is %s', async (_, body, seconds) => {
    expect(queryOf(await authUrlAt('alpha', body)).lifetime).toBe(String(seconds));
  });
});

describe('POST /api/sessions/services/{name}', () => {
  test('returns the one provider, and ignores discover', async () => {
    const answer = await createAt('gamma', { identifier: CPF, discover: true });
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ serviceInfo: { serviceName: 'gamma' } });
    expect(queryOf((answer.json() as { authUrl: string }).authUrl).login_hint).toBe(CPF);
    expect(refusal(await createAt('alpha', { discover: true }))[0]).toBe(200);
  });

  test('knows the provider in any case', async () => {
    expect((await createAt('ALPHA')).json()).toMatchObject({ serviceInfo: { serviceName: 'alpha' } });
  });

  test('refuses a name that no provider has with 422 ServiceNotFound and shows it', async () => {
    const { status, json } = await createAt('delta', { redirectUri: 'nowhere' });
    expect([status, json()]).toEqual([
      422,
      { code: 'ServiceNotFound', message: expect.any(String), details: { name: 'delta' } },
    ]);
  });

  test.each([
    ['/return', 'InvalidRedirectUri'],
    ['https://evil.example/', 'UnauthorizedRedirectUri'],
  ])('refuses the redirectUri %s with 422 %s', async (redirectUri, code) => {
    expect(refusal(await createAt('alpha', { redirectUri }))).toEqual([422, code]);
  });
});

describe('GET /api/sessions/services', () => {
  test('returns who holds a certificate, without an authUrl, and leaves out who fails to answer', async () => {
    const answer = await listServices({ identifier: CPF });
    expect(answer.status).toBe(200);
    expect(answer.json()).toEqual([
      {
        serviceName: 'alpha',
        provider: 'Alpha Certificates',
        endpoint: `${stage.providers.url}/sandbox/providers/alpha/v0/oauth`,
        badgeUrl: null,
      },
    ]);
  });

  test.each(['CNPJ', '2'])('finds a CNPJ by the type %s', async (identifierType) => {
    const { json } = await listServices({ identifier: CNPJ, identifierType });
    expect(json()).toMatchObject([{ serviceName: 'beta' }]);
  });

  test.each([
    ['is missing', {}],
    ['is a CNPJ and nothing says so, because CPF is the default', { identifier: CNPJ }],
    ['is no number of anybody', { identifier: 'x' }],
  ])('answers 400 that lists identifier when it %s', async (_, query) => {
    const answer = await listServices(query as Record<string, string>);
    expect([answer.status, Object.keys(fieldsIn(answer) as object)]).toEqual([400, ['identifier']]);
  });
});

describe('GET /api/sessions/services/{name}/availability', () => {
  test.each([
    ['alpha', { identifier: CPF }, { discoveryAvailable: true, certificateFound: true }],
    [
      'Beta',
      { identifier: CNPJ, identifierType: 'CNPJ' },
      { discoveryAvailable: true, certificateFound: true },
    ],
    ['alpha', { identifier: '11144477735' }, { discoveryAvailable: true, certificateFound: false }],
    ['gamma', { identifier: CPF }, { discoveryAvailable: false, certificateFound: null }],
  ])('asks %s for %j', async (name, query, expected) => {
    const { status, json } = await availabilityAt(name, query as Record<string, string>);
    expect([status, json()]).toEqual([200, expected]);
  });

  test('refuses a name that no provider has with 422 ServiceNotFound', async () => {
    expect(refusal(await availabilityAt('delta', { identifier: CPF }))).toEqual([422, 'ServiceNotFound']);
  });
});

test.each([
  ['breaks the line', 'hang-up' as const],
  ['answers a page', { status: 200, body: '<html>' }],
  ['answers an error', { status: 500, body: '{}' }],
])('discovery leaves out a provider that %s', async (_, interference) => {
  stage.providers.interfere = (call) => (call === 'alpha user-discovery' ? interference : undefined);
  const answer = await createSession({ identifier: CPF });
  stage.providers.interfere = () => undefined;
  expect([answer.status, namesIn(answer)]).toEqual([200, []]);
});
