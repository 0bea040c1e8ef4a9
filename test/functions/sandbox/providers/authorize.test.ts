import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../faults/fuzz.ts';
import { backWith, clientOf } from './a-client.ts';

const alpha = clientOf('alpha');
const both = async (changed: Parameters<typeof alpha.authorize>[0]) =>
  Promise.all([alpha.authorize(changed), alpha.decide('approve', changed)]);

describe('the page on which a holder decides', () => {
  test.each([
    ['alpha', 'en', 'Alpha Certificates', 'CPF 529.982.247-25', '5 minutes', 'Allow'],
    ['beta', 'pt-BR', 'Beta Trust Services', 'CNPJ 11.222.333/0001-81', '5 minutos', 'Permitir'],
  ] as const)(
    'says at %s in %s who asks, for whom, what for and for how long',
    async (name, lang, ...said) => {
      const { status, headers, text } = await clientOf(name).authorize({ lang });
      expect(status).toBe(200);
      expect(headers['content-language']).toBe(lang);
      for (const each of ['Sinete hub', 'sinete-hub', ...said]) expect(text).toContain(each);
      expect(text).toContain(lang === 'en' ? 'This is the sandbox' : 'Este é o ambiente de testes');
      expect(text).not.toContain('type="password"');
    },
  );

  test('speaks the language that the browser is set to', async () => {
    const { text } = await alpha.authorize({}, { 'accept-language': 'pt-BR,pt;q=0.9,en;q=0.5' });
    expect(text).toContain('Permitir o uso do seu certificado?');
  });

  test('is a plain form under a policy that lets it run nothing', async () => {
    const { text, headers } = await alpha.authorize();
    expect(text).toContain('<form class="decision" method="post">');
    expect(text).toContain('name="decision" value="approve"');
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'self' http: https:; frame-ancestors 'none'",
    );
    expect(headers['referrer-policy']).toBe('no-referrer');
  });

  test.each([
    ['CPF', 'alpha', '7 days'],
    ['CNPJ', 'beta', '30 days'],
  ] as const)('shows the longest lifetime that a %s is granted', async (_, name, said) => {
    expect((await clientOf(name).authorize({ lang: 'en', lifetime: '99999999' })).text).toContain(said);
  });

  test.each([
    ['single_signature', 'One signature'],
    ['multi_signature', 'Several signatures'],
    ['signature_session', 'Any number of signatures'],
    ['authentication_session', 'Nothing is signed'],
    [undefined, 'One signature'],
  ])('says in words what %s allows', async (scope, said) => {
    expect((await alpha.authorize({ lang: 'en', scope })).text).toContain(said);
  });

  test('offers only the way back for somebody who keeps nothing there', async () => {
    const { text } = await alpha.authorize({ lang: 'en', login_hint: '11222333000181' });
    expect(text).toContain('No certificate here');
    expect(text).not.toContain('value="approve"');
  });

  test('takes no text of the request for markup', async () => {
    const { text } = await alpha.authorize({ state: '"><script>alert(1)</script>' });
    expect(text).not.toContain('<script');
  });
});

describe('the decision', () => {
  test('sends the browser back with a code and the state', async () => {
    const { code, ...rest } = backWith(await alpha.decide('approve', { state: 'a b&c=ç' }));
    expect(code).toMatch(/^[\w-]{43}$/);
    expect(rest).toEqual({ state: 'a b&c=ç' });
  });

  test('sends it back without one when it is a denial', async () => {
    expect(backWith(await alpha.decide('deny'))).toEqual({
      error: 'access_denied',
      error_description: expect.any(String),
      state: 'state-1',
    });
  });

  test('is a denial for somebody who keeps nothing there, even when a script approves', async () => {
    expect(backWith(await alpha.decide('approve', { login_hint: '11222333000181' }))).toMatchObject({
      error: 'access_denied',
    });
  });

  test.each(['', 'maybe', 'Approve'])('is not taken when it is %j', async (decision) => {
    const { status, json } = await alpha.decide(decision);
    expect(status).toBe(400);
    expect(json()).toMatchObject({ error: 'invalid_request' });
  });
});

test.each([
  { client_id: 'another' },
  { client_id: undefined },
  { client_id: ['sinete-hub', 'sinete-hub'] },
  { redirect_uri: undefined },
  { redirect_uri: 'http://localhost:3000/hub/api/sessions/callback/' },
  { redirect_uri: 'http://localhost:3000/hub/api/sessions/callback?next=1' },
  { redirect_uri: 'http://localhost:3000/hub/api/sessions/callback#x' },
  { redirect_uri: 'http://localhost:3000@evil.example/hub/api/sessions/callback' },
  { redirect_uri: 'https://evil.example/' },
  { redirect_uri: 'javascript:alert(1)' },
  { redirect_uri: ['https://evil.example/', 'http://localhost:3000/hub/api/sessions/callback'] },
])('a request whose client or address is not registered gets a page and no way back: %j', async (changed) => {
  for (const { status, headers, text } of await both({ ...changed, lang: 'en' })) {
    expect(status).toBe(400);
    expect(headers.location).toBeUndefined();
    expect(text).toContain('This request cannot be answered');
    expect(text).not.toContain('<form');
  }
});

describe('a request that is not as it must be', () => {
  test.each<[string, Record<string, string | string[] | undefined>]>([
    ['invalid_request', { response_type: undefined }],
    ['unsupported_response_type', { response_type: 'token' }],
    ['invalid_request', { state: undefined }],
    ['invalid_request', { state: '' }],
    ['invalid_request', { state: ['a', 'b'] }],
    ['invalid_scope', { scope: 'everything' }],
    ['invalid_scope', { scope: 'single_signature signature_session' }],
    ['invalid_request', { scope: ['single_signature', 'single_signature'] }],
    ['invalid_request', { lifetime: '0' }],
    ['invalid_request', { lifetime: '-5' }],
    ['invalid_request', { lifetime: '1.5' }],
    ['invalid_request', { lifetime: 'long' }],
    ['invalid_request', { code_challenge: undefined }],
    ['invalid_request', { code_challenge: 'short' }],
    ['invalid_request', { code_challenge: `${'a'.repeat(42)}=` }],
    ['invalid_request', { code_challenge_method: undefined }],
    ['invalid_request', { code_challenge_method: 'plain' }],
    ['invalid_request', { login_hint: '529.982.247-25' }],
    ['invalid_request', { login_hint: '52998224700' }],
    ['invalid_request', { login_hint: '2998224725' }],
  ])('goes back as %s: %j', async (error, changed) => {
    for (const answer of await both(changed)) {
      const back = backWith(answer);
      expect(back).toMatchObject({ error, error_description: expect.stringMatching(/\.$/) });
      expect(back.code).toBeUndefined();
      expect(back.state).toBe('state' in changed ? undefined : 'state-1');
    }
  });

  test('never gives a code for anything but what is right, whatever is sent', async () => {
    const name = fc.constantFrom('client_id', 'redirect_uri', 'response_type', 'code_challenge_method');
    await fc.assert(
      fc.asyncProperty(name, fc.string(), async (changed, value) => {
        const { status, headers } = await alpha.decide('approve', { [changed]: value });
        expect([302, 400]).toContain(status);
        expect(headers.location ?? '').not.toContain('code=');
      }),
      { numRuns: runs(25) },
    );
  });

  test('is not at a provider that does not exist', async () => {
    const { status, json } = await clientOf('delta' as 'alpha').authorize();
    expect([status, json()]).toEqual([404, { error: 'not_found', error_description: expect.any(String) }]);
  });
});
