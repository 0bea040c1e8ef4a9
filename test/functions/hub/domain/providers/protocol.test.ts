import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { authorizeUrl } from '../../../../../functions/hub/domain/providers/authorize-url.ts';
import { testPki } from '../../../../certificates/pki.ts';
import { forFile } from '../../../../runner/for-file.ts';
import {
  type Answering,
  exchangeCode,
  failure,
  heldAs,
  holdsCertificate,
  json,
  listCertificates,
  SECRET,
  signed,
  signHashes,
  startProvider,
} from './a-provider.ts';

const at = await forFile(startProvider());

const CPF = { type: 'CPF', value: '52998224725' } as const;
const exchange = {
  code: 'c',
  codeVerifier: 'v',
  redirectUri: 'https://hub.example/cb',
  lifetimeSeconds: 300,
};
const sha256 = (text: string) => createHash('sha256').update(text).digest();
const only = () => {
  expect(at.got).toHaveLength(1);
  return at.got[0];
};

test('the authorization address carries every parameter of the protocol, with the session type as scope', () => {
  const provider = at.provider({ baseUrl: 'https://p.example/v0/oauth' });
  const wish = {
    state: 's+/',
    codeChallenge: 'ch',
    lifetimeSeconds: 300,
    redirectUri: 'https://h.example/cb?a=1',
  };
  const url = new URL(authorizeUrl(provider, { ...wish, type: 'SingleSignature', loginHint: '01234567890' }));
  expect(url.origin + url.pathname).toBe('https://p.example/v0/oauth/authorize');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    response_type: 'code',
    client_id: 'hub-client',
    redirect_uri: 'https://h.example/cb?a=1',
    state: 's+/',
    scope: 'single_signature',
    lifetime: '300',
    code_challenge: 'ch',
    code_challenge_method: 'S256',
    login_hint: '01234567890',
  });
  const scopes = (['MultiSignature', 'SignatureSession', 'AuthenticationSession'] as const).map((type) =>
    new URL(authorizeUrl(provider, { ...wish, type })).searchParams.get('scope'),
  );
  expect(scopes).toEqual(['multi_signature', 'signature_session', 'authentication_session']);
  expect(authorizeUrl(provider, { ...wish, type: 'MultiSignature' })).not.toContain('login_hint');
});

describe('the exchange of a code', () => {
  const parameters = {
    grant_type: 'authorization_code',
    client_id: 'hub-client',
    client_secret: SECRET,
    code: 'c',
    code_verifier: 'v',
    redirect_uri: 'https://hub.example/cb',
  };

  test('is a form', async () => {
    at.answers(json({ access_token: 't', expires_in: 60, scope: 'single_signature', token_type: 'Bearer' }));
    const token = await exchangeCode(at.provider(), exchange);
    expect(token).toEqual({ accessToken: 't', expiresInSeconds: 60, scope: 'single_signature' });
    expect(only()).toMatchObject({ method: 'POST', path: '/token' });
    expect(at.got[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(at.got[0]?.body))).toEqual(parameters);
  });

  test('is JSON at a provider that wants it so', async () => {
    at.answers(json({ access_token: 't', expires_in: '60' }));
    const token = await exchangeCode(at.provider({ tokenBody: 'json' }), exchange);
    expect(token).toEqual({ accessToken: 't', expiresInSeconds: 60, scope: null });
    expect(only()?.headers['content-type']).toBe('application/json');
    expect(JSON.parse(at.got[0]?.body ?? '')).toEqual(parameters);
  });

  test('takes the lifetime that was asked for where the provider does not say', async () => {
    at.answers(json({ access_token: 't' }));
    expect(await exchangeCode(at.provider(), exchange)).toMatchObject({ expiresInSeconds: 300 });
  });
});

describe('discovery', () => {
  test('shows the client and its secret, and asks for the holder', async () => {
    at.answers(json({ status: 'S', slots: [{ slot_alias: 'a', label: 'b' }] }));
    expect(await holdsCertificate(at.provider(), CPF)).toBe(true);
    expect(only()).toMatchObject({ method: 'POST', path: '/user-discovery' });
    expect(at.got[0]?.headers.authorization).toBeUndefined();
    expect(JSON.parse(at.got[0]?.body ?? '')).toEqual({
      client_id: 'hub-client',
      client_secret: SECRET,
      user_cpf_cnpj: 'CPF',
      val_cpf_cnpj: '52998224725',
    });
    at.answers(json({ status: 'N' }));
    expect(await holdsCertificate(at.provider(), CPF)).toBe(false);
  });

  test('shows the application token where the provider wants that, asked for once and kept', async () => {
    const provider = at.provider({ discovery: 'application-token' });
    at.answers(tokens(600));
    await Promise.all([1, 2, 3].map(() => holdsCertificate(provider, CPF)));
    await holdsCertificate(provider, CPF);
    expect(paths()).toEqual(['/client_token', ...Array(4).fill('/user-discovery')]);
    expect(Object.fromEntries(new URLSearchParams(at.got[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      client_id: 'hub-client',
      client_secret: SECRET,
    });
    expect(at.got[4]?.headers.authorization).toBe('Bearer token-1');
    expect(at.got[4]?.body).not.toContain(SECRET);
  });

  test('asks for another application token shortly before the one it has ends', async () => {
    const provider = at.provider({ discovery: 'application-token' });
    at.answers(tokens(30));
    await holdsCertificate(provider, CPF);
    await holdsCertificate(provider, CPF);
    expect(paths()).toEqual(['/client_token', '/user-discovery', '/client_token', '/user-discovery']);
  });

  test('asks for another application token when the provider takes the one it has no more, once', async () => {
    const provider = at.provider({ discovery: 'application-token' });
    at.answers(tokens(600, 'token-2'));
    expect(await holdsCertificate(provider, CPF)).toBe(true);
    expect(paths()).toEqual(['/client_token', '/user-discovery', '/client_token', '/user-discovery']);
    at.answers(tokens(600, 'none'));
    expect(
      (await failure(holdsCertificate(at.provider({ discovery: 'application-token' }), CPF))).reason,
    ).toBe('token-rejected');
    expect(at.got).toHaveLength(4);
  });

  test('asks nobody at a provider that has none', async () => {
    at.answers(json({ status: 'S' }));
    expect(await failure(holdsCertificate(at.provider({ discovery: 'none' }), CPF))).toMatchObject({
      reason: 'refused',
      mayHaveActed: false,
    });
    expect(at.got).toEqual([]);
  });

  const paths = () => at.got.map(({ path }) => path);
  function tokens(seconds: number, accepted?: string): Answering {
    let issued = 0;
    return ({ path, headers }, response) => {
      if (path === '/client_token') {
        issued++;
        return json({ access_token: `token-${issued}`, expires_in: seconds })({} as never, response);
      }
      const isTaken = accepted === undefined || headers.authorization === `Bearer ${accepted}`;
      const answer = isTaken ? json({ status: 'S' }) : json({ error: 'invalid_token' }, 401);
      return answer({} as never, response);
    };
  }
});

describe('certificates and signatures', () => {
  const holder = testPki().holder();
  const held = heldAs('the one', holder);
  const [one, two, three] = ['1', '2', '3'].map(sha256) as [Buffer, Buffer, Buffer];

  test('are asked for with the token of the holder', async () => {
    at.answers(json({ status: 'S', certificates: [] }));
    expect(await listCertificates(at.provider(), 'tok')).toEqual([]);
    expect(only()).toMatchObject({ method: 'GET', path: '/certificate-discovery', body: '' });
    expect(at.got[0]?.headers.authorization).toBe('Bearer tok');
  });

  const signing =
    (encoding: 'base64' | 'hex'): Answering =>
    async ({ body }, response) => {
      const { hashes } = JSON.parse(body) as { hashes: { id: string; hash: string }[] };
      const signatures = await Promise.all(
        hashes.map(async ({ id, hash }) => ({
          id,
          raw_signature: (await signed(holder, 'sha256', Buffer.from(hash, encoding))).toString('base64'),
        })),
      );
      json({ certificate_alias: 'x', signatures: signatures.toReversed() })({} as never, response);
    };

  test('names the certificate, writes hashes in base64, and gives signatures in the order of hashes', async () => {
    at.answers(signing('base64'));
    const signatures = await signHashes(at.provider(), 'tok', { held, digest: 'sha256', hashes: [one, two] });
    expect(signatures).toEqual([await signed(holder, 'sha256', one), await signed(holder, 'sha256', two)]);
    expect(only()).toMatchObject({ method: 'POST', path: '/signature' });
    expect(at.got[0]?.headers.authorization).toBe('Bearer tok');
    expect(JSON.parse(at.got[0]?.body ?? '')).toEqual({
      certificate_alias: 'the one',
      hashes: [one, two].map((hash, index) => ({
        id: String(index + 1),
        alias: `hash ${index + 1}`,
        hash: hash.toString('base64'),
        hash_algorithm: '2.16.840.1.101.3.4.2.1',
        signature_format: 'RAW',
      })),
    });
  });

  test('writes hashes in hexadecimal, leaves the alias out, and sends no more at once than is taken', async () => {
    at.answers(signing('hex'));
    const provider = at.provider({ hashEncoding: 'hex', sendsAlias: false, hashesPerCall: 2 });
    const signatures = await signHashes(provider, 'tok', {
      held,
      digest: 'sha256',
      hashes: [one, two, three],
    });
    expect(signatures[2]).toEqual(await signed(holder, 'sha256', three));
    const sent = at.got.map(({ body }) => JSON.parse(body));
    expect(sent.map(({ hashes }) => hashes.length)).toEqual([2, 1]);
    expect(sent[1].hashes[0].hash).toBe(three.toString('hex'));
    expect(sent[0]).not.toHaveProperty('certificate_alias');
  });

  test('does not send an alias that the provider never gave', async () => {
    at.answers(json({ certificates: [{ certificate: holder.certificate.der.toString('base64') }] }));
    const [unnamed] = await listCertificates(at.provider(), 'tok');
    if (!unnamed) throw new Error('There should be one.');
    expect(unnamed.alias).toBe(holder.certificate.sha256);
    at.answers(signing('base64'));
    await signHashes(at.provider(), 'tok', { held: unnamed, digest: 'sha256', hashes: [one] });
    expect(JSON.parse(only()?.body ?? '')).not.toHaveProperty('certificate_alias');
  });
});
