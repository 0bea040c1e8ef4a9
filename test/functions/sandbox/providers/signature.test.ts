import { createHash, verify, X509Certificate } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { findAuthority, signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { makeAuthority } from '../../../../functions/sandbox/authority/domain/make-authority.ts';
import { digestOid } from '../../../../shared/signing/digest.ts';
import { clientOf } from './a-client.ts';

type Digest = 'sha1' | 'sha256' | 'sha384' | 'sha512';
type Signed = { certificate_alias: string; signatures: { id: string; raw_signature: string }[] };

const alpha = clientOf('alpha');
const beta = clientOf('beta');
const CONTENT = Buffer.from('what is signed');

await makeAuthority('http://localhost:3000', Date.now());

function oneHash(id = '1', { digest = 'sha256' as Digest, encoding = 'base64' as 'base64' | 'hex' } = {}) {
  return {
    id,
    alias: `document ${id}`,
    hash: createHash(digest).update(CONTENT).digest(encoding),
    hash_algorithm: digestOid(digest),
    signature_format: 'RAW',
  };
}
const forAlpha = (...hashes: object[]) => ({ certificate_alias: 'alpha-3', hashes });
const several = (count: number, encoding: 'base64' | 'hex' = 'base64') =>
  Array.from({ length: count }, (_, at) => oneHash(String(at + 1), { encoding }));
const signsAs = async (alias: string, digest: Digest, signature: Buffer) => {
  const { der } = signerOf(await findAuthority(), alias).certificate;
  return verify(digest, CONTENT, new X509Certificate(der).publicKey, signature);
};

describe('a signature', () => {
  test.each(['sha1', 'sha256', 'sha384', 'sha512'] as const)(
    'of alpha over a %s hash is the certificate’s, in Base64',
    async (digest) => {
      const { access_token: token } = await alpha.token();
      const { status, json } = await alpha.sign(token, forAlpha(oneHash('a', { digest })));
      expect(status).toBe(200);
      const { certificate_alias, signatures } = json() as Signed;
      expect([certificate_alias, signatures.map(({ id }) => id)]).toEqual(['alpha-3', ['a']]);
      const raw = signatures[0]?.raw_signature ?? '';
      expect(raw).toMatch(/^[\w+/]+==$/);
      expect(await signsAs('alpha-3', digest, Buffer.from(raw, 'base64'))).toBe(true);
    },
  );

  test('of beta takes a hash in hexadecimal and no alias, and is in base64url without padding', async () => {
    const { access_token: token } = await beta.token();
    const { json } = await beta.sign(token, { hashes: several(5, 'hex') });
    const { certificate_alias, signatures } = json() as Signed;
    expect(certificate_alias).toBe('11222333000181');
    expect(signatures.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5']);
    for (const { raw_signature: raw } of signatures) {
      expect(raw).toMatch(/^[\w-]+$/);
      expect(await signsAs(certificate_alias, 'sha256', Buffer.from(raw, 'base64url'))).toBe(true);
    }
  });

  test.each<[string, object]>([
    ['no alias where there are several', { hashes: [oneHash()] }],
    ['an alias that nobody has', { certificate_alias: 'alpha-9', hashes: [oneHash()] }],
    ['a certificate that has expired', { certificate_alias: 'alpha-1', hashes: [oneHash()] }],
    ['no hash', forAlpha()],
    ['an id twice', forAlpha(oneHash('1'), oneHash('1'))],
    ['no id', forAlpha({ ...oneHash(), id: undefined })],
    ['no alias of the hash', forAlpha({ ...oneHash(), alias: undefined })],
    ['an algorithm by name', forAlpha({ ...oneHash(), hash_algorithm: 'SHA-256' })],
    [
      'another algorithm than the hash is of',
      forAlpha({ ...oneHash(), hash_algorithm: digestOid('sha512') }),
    ],
    ['a hash in hexadecimal', forAlpha(oneHash('1', { encoding: 'hex' }))],
    ['a hash without its padding', forAlpha({ ...oneHash(), hash: oneHash().hash.replace(/=+$/, '') })],
    ['CMS', forAlpha({ ...oneHash(), signature_format: 'CMS' })],
    ['two hashes for a single signature', forAlpha(...several(2))],
  ])('is refused for %s, and that costs the token nothing', async (_, asked) => {
    const { access_token: token } = await alpha.token({ scope: 'single_signature' });
    const { status, json } = await alpha.sign(token, asked);
    expect([status, json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: expect.any(String) },
    ]);
    expect((await alpha.sign(token, forAlpha(oneHash()))).status).toBe(200);
  });

  test.each<[string, object]>([
    ['a sixth hash in one call', { hashes: several(6, 'hex') }],
    ['a hash in Base64', { hashes: [oneHash()] }],
    ['SHA-384', { hashes: [oneHash('1', { digest: 'sha384', encoding: 'hex' })] }],
  ])('is refused by beta for %s', async (_, asked) => {
    const { access_token: token } = await beta.token();
    expect((await beta.sign(token, asked)).json()).toMatchObject({ error: 'invalid_request' });
  });
});

describe('a token', () => {
  const signsTwice = async (scope: string, hashes: object[]) => {
    const { access_token: token } = await alpha.token({ scope });
    const statuses: number[] = [];
    for (let n = 0; n < 2; n++) statuses.push((await alpha.sign(token, forAlpha(...hashes))).status);
    return { statuses, reads: (await alpha.certificates(token)).status };
  };

  test('for a single signature signs once and is dead', async () => {
    expect(await signsTwice('single_signature', several(1))).toEqual({ statuses: [200, 401], reads: 401 });
  });

  test('for several signatures signs in one call and is dead', async () => {
    expect(await signsTwice('multi_signature', several(3))).toEqual({ statuses: [200, 401], reads: 401 });
  });

  test('for a session signs until it ends', async () => {
    expect(await signsTwice('signature_session', several(3))).toEqual({ statuses: [200, 200], reads: 200 });
  });

  test('for an authentication signs nothing', async () => {
    expect(await signsTwice('authentication_session', several(1))).toEqual({
      statuses: [403, 403],
      reads: 200,
    });
  });

  // one    |--reads Live-- used: Spent --- signs --|
  // others   |--read Live-- used: refused --|
  test('for a single signature signs once, however many ask at once', async () => {
    const { access_token: token } = await alpha.token({ scope: 'single_signature' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => alpha.sign(token, forAlpha(oneHash()))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(7).fill(401)]);
  });
});
