import { createPublicKey, hash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import {
  holderProfile,
  intermediateProfile,
} from '../../../../functions/sandbox/authority/domain/issuing/profiles.ts';
import { nodeHost } from '../../../../shared/pki/pkcs12/node-host.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { webHost } from '../../../../shared/pki/pkcs12/web-host.ts';
import { below, type Holder, testKey, testPki } from '../../../certificates/pki.ts';
import { certificateBag, fileOf, hasNss, hasOpenssl, keyBag, shroudedKeyBag, tools } from './tools.ts';

const made = tools();
afterAll(() => made.remove());
const pki = testPki('p256');
const rsa = pki.holder({ key: 'rsa2048' });
const ec = pki.holder({ key: 'p384' });

/** That the file opens, and gives back the holder's key, certificate and chain. */
async function expectHolder(bytes: Buffer, password: string | undefined, holder: Holder = rsa) {
  const { entries, others, strayKeys } = await openPkcs12(bytes, password);
  expect(entries.map(({ certificate }) => certificate.sha256)).toEqual([holder.certificate.sha256]);
  const [entry] = entries;
  expect(entry && createPublicKey(entry.privateKey).equals(holder.certificate.publicKey)).toBe(true);
  expect(entry?.chain.map(({ sha256 }) => sha256)).toEqual(holder.chain.map(({ sha256 }) => sha256));
  expect(others).toEqual([]);
  expect(strayKeys).toEqual([]);
}

describe.skipIf(!hasOpenssl)('a file of OpenSSL', () => {
  test.each([
    ['AES-256, as it writes today', []],
    ['AES-128 and AES-192', ['-keypbe', 'aes-128-cbc', '-certpbe', 'aes-192-cbc']],
    ['Triple DES under PBES2', ['-keypbe', 'des-ede3-cbc', '-certpbe', 'des-ede3-cbc']],
    ['Triple DES and 40-bit RC2, as it wrote for years', ['-legacy']],
    ['128-bit RC2', ['-legacy', '-certpbe', 'PBE-SHA1-RC2-128', '-keypbe', 'PBE-SHA1-RC2-128']],
    [
      'Triple DES with two and three keys',
      ['-legacy', '-certpbe', 'PBE-SHA1-3DES', '-keypbe', 'PBE-SHA1-2DES'],
    ],
    ['nothing encrypted', ['-keypbe', 'NONE', '-certpbe', 'NONE']],
    ['only the key encrypted', ['-certpbe', 'NONE']],
    ['a SHA-1 MAC', ['-macalg', 'sha1']],
    ['a SHA-384 MAC', ['-macalg', 'sha384']],
    ['a SHA-512 MAC', ['-macalg', 'sha512']],
    ['no MAC', ['-nomac']],
    ['no MAC and the old ciphers', ['-nomac', '-legacy']],
    ['one round', ['-noiter', '-nomaciter']],
    ['a hundred thousand rounds', ['-iter', '100000']],
  ])('with %s opens', (_, options) => expectHolder(made.openssl(rsa, '1234', ...options), '1234'));

  test('with an EC key opens, new and old', async () => {
    await expectHolder(made.openssl(ec, '1234'), '1234', ec);
    await expectHolder(made.openssl(ec, '1234', '-legacy'), '1234', ec);
  });

  test.each(['', 'pínç€ 12', '密码', '🔑🔑', ' spaces ', 'a'.repeat(200)])(
    'under the password %j opens',
    async (password) => {
      await expectHolder(made.openssl(rsa, password), password);
      await expectHolder(made.openssl(rsa, password, '-legacy'), password);
    },
  );

  test('under an empty password opens with no password at all', async () => {
    await expectHolder(made.openssl(rsa, ''), undefined);
  });

  test.each([
    'hmacWithSHA1',
    'hmacWithSHA224',
    'hmacWithSHA256',
    'hmacWithSHA384',
    'hmacWithSHA512',
    'hmacWithMD5',
    'hmacWithSHA512-256',
  ])('whose key is derived with %s opens', async (prf) => {
    const key = made.pkcs8(rsa.privateKey, '1234', '-v2', 'aes-256-cbc', '-v2prf', prf);
    const certificates = [rsa.certificate, ...rsa.chain].map(certificateBag);
    await expectHolder(fileOf([shroudedKeyBag(key), ...certificates]), '1234');
  });
});

describe.skipIf(!hasOpenssl || !hasNss)('a file of NSS, which writes BER with indefinite lengths', () => {
  test('opens, under a password with accents', async () => {
    const bytes = made.nss(made.openssl(rsa, '1234', '-name', 'rsa'), '1234', 'pínç€ 12');
    expect(bytes.subarray(0, 2).toString('hex')).toBe('3080');
    await expectHolder(bytes, 'pínç€ 12');
  });

  test('with Triple DES and 40-bit RC2, as Firefox wrote for years, opens', async () => {
    const old = ['3KEY Triple DES-CBC', '40 Bit RC2 CBC'].map(
      (name) => `PKCS #12 V2 PBE With SHA-1 And ${name}`,
    );
    const options = ['-c', old[0] ?? '', '-C', old[1] ?? '', '-M', 'SHA-1'];
    const bytes = made.nss(made.openssl(rsa, '1234', '-name', 'rsa'), '1234', 'pínç€', ...options);
    expect(bytes.subarray(0, 2).toString('hex')).toBe('3080');
    await expectHolder(bytes, 'pínç€');
  });

  test('with an EC key, and certificates in the clear, opens', async () => {
    const options = ['-c', 'AES-128-CBC', '-C', 'NONE', '-M', 'SHA-256'];
    await expectHolder(
      made.nss(made.openssl(ec, '1234', '-name', 'ec'), '1234', '4321', ...options),
      '4321',
      ec,
    );
  });
});

// gnutls.p12: certtool 3.7.9 --to-p12 --pkcs-cipher 3des-pkcs12 --load-certificate, --load-privkey and
// --load-ca-certificate, which makes a part of 600,000 rounds of each: 6 million with the MAC.
test('a file of GnuTLS, with Triple DES for each certificate and the key, opens', async () => {
  const bytes = readFileSync(new URL('./gnutls.p12', import.meta.url));
  const { entries, others } = await openPkcs12(bytes, '1234');
  expect(entries.map(({ certificate }) => certificate.subject.text)).toEqual(['CN=GnuTLS holder']);
  expect(entries[0]?.chain.map(({ subject }) => subject.text)).toEqual(['CN=GnuTLS authority']);
  expect(others).toEqual([]);
});

test.each([
  ['node:crypto', nodeHost, ['sha1', 'sha256', 'sha384']],
  ['WebCrypto', webHost, ['sha1', 'sha256']],
] as const)(
  'a hash that is hashed again by the host of %s comes out as node:crypto has it, round for round',
  async (_, host, digests) => {
    for (const digest of digests) {
      const message = randomBytes(50);
      const hashed = async (rounds: number) => Buffer.from(await host.hashRounds(digest, message, rounds));
      let expected = hash(digest, message, 'buffer');
      expect(await hashed(1)).toEqual(expected);
      for (let round = 0; round < 1000; round++) expected = hash(digest, expected, 'buffer');
      expect(await hashed(1001)).toEqual(expected);
    }
  },
);

const AUTHORITY_NAME = [['commonName', 'AC de duas chaves']] as const;

describe('keys and certificates', () => {
  const bags = ({ certificate, privateKey, chain }: Holder) => [
    ...[certificate, ...chain].map(certificateBag),
    keyBag(privateKey.export({ format: 'der', type: 'pkcs8' })),
  ];
  const hashes = (certificates: readonly { sha256: string }[]) => certificates.map(({ sha256 }) => sha256);

  test('belong together by their public key, whatever their order', async () => {
    const { entries } = await openPkcs12(fileOf([...bags(rsa), ...bags(ec)].toReversed()), '');
    expect(hashes(entries.map(({ certificate }) => certificate)).sort()).toEqual(
      hashes([rsa.certificate, ec.certificate]).sort(),
    );
    for (const { certificate, privateKey, chain } of entries) {
      expect(createPublicKey(privateKey).equals(certificate.publicKey)).toBe(true);
      expect(hashes(chain)).toEqual(hashes(rsa.chain));
    }
  });

  test('of one key renewed twice are two entries', async () => {
    const renewed = pki.holder({ key: 'rsa2048', commonName: 'RENEWED:52998224725' });
    const { entries } = await openPkcs12(fileOf([...bags(rsa), certificateBag(renewed.certificate)]), '');
    expect(hashes(entries.map(({ certificate }) => certificate))).toEqual(
      hashes([rsa.certificate, renewed.certificate]),
    );
  });

  test('that belong to nothing are listed apart', async () => {
    const stranger = testKey('p256', 'stranger').export({ format: 'der', type: 'pkcs8' });
    const file = fileOf([...bags(rsa), keyBag(stranger), certificateBag(ec.certificate)]);
    const { entries, others, strayKeys } = await openPkcs12(file, '');
    expect(entries).toHaveLength(1);
    expect(hashes(others)).toEqual(hashes([ec.certificate]));
    expect(strayKeys).toHaveLength(1);
  });

  test('of an authority that renewed its key are matched by its key identifiers', async () => {
    const renewed = below(pki.root, testKey('p256', 'renewed authority'), (keys) => ({
      subject: [...AUTHORITY_NAME],
      extensions: intermediateProfile(keys),
    }));
    const old = below(pki.root, testKey('p256', 'old authority'), (keys) => ({
      subject: [...AUTHORITY_NAME],
      extensions: intermediateProfile(keys),
    }));
    const holder = below(old, testKey('p256', 'holder'), (keys) => ({
      subject: [['commonName', 'HOLDER']],
      extensions: holderProfile({ ...keys, holder: { person: { cpf: '52998224725' } } }),
    }));
    const { entries, others } = await openPkcs12(
      fileOf([certificateBag(renewed.certificate), ...bags(holder)]),
      '',
    );
    expect(hashes(entries[0]?.chain ?? [])).toEqual(hashes([old.certificate, pki.root.certificate]));
    expect(hashes(others)).toEqual(hashes([renewed.certificate]));
  });

  test('standing twice in the file count once', async () => {
    const { entries, others } = await openPkcs12(fileOf([...bags(rsa), certificateBag(rsa.certificate)]), '');
    expect(entries).toHaveLength(1);
    expect(others).toEqual([]);
  });

  test('may be only certificates', async () => {
    const { entries, others } = await openPkcs12(fileOf(rsa.chain.map(certificateBag)), '');
    expect(entries).toEqual([]);
    expect(hashes(others)).toEqual(hashes(rsa.chain));
  });
});
