import {
  constants,
  createHash,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { type Digest, digestInfo, hashOf } from '../../../shared/signing/digest.ts';
import { SigningRefused } from '../../../shared/signing/errors.ts';
import { checkKey, localKey } from '../../../shared/signing/key.ts';
import { isSignatureOfBytes, isSignatureOfHash } from '../../../shared/signing/key-verify.ts';
import { type KeyKind, testKey, testPki } from '../../certificates/pki.ts';
import { holderKey } from './cms/fixtures.ts';
import { folder, hasOpenssl, openssl } from './cms/openssl.ts';

const files = folder();
afterAll(() => files.remove());

const DIGESTS: Digest[] = ['sha1', 'sha256', 'sha384', 'sha512'];
const KINDS: KeyKind[] = ['rsa2048', 'p256', 'p384'];
const data = Buffer.from('the content');

describe('a local key', () => {
  test.each(DIGESTS)(
    'signs a given %s hash with RSA to the very bytes that signing the data gives',
    async (digest) => {
      const { privateKey } = testPki().holder();
      const expected = sign(digest, data, privateKey);
      expect(await holderKey().signHash(digest, hashOf(digest, data))).toEqual(expected);
      expect(await holderKey().signHash(digest, hashOf(digest, data), data)).toEqual(expected);
      // What is signed is the hash: data of another one changes nothing.
      expect(await holderKey().signHash(digest, hashOf(digest, data), Buffer.from('other'))).toEqual(
        expected,
      );
    },
  );

  test.each(KINDS.flatMap((kind) => DIGESTS.map((digest) => [kind, digest] as const)))(
    'signs with %s over a given %s hash what others verify over the data',
    async (kind, digest) => {
      const key = holderKey({ key: kind });
      const signature = await key.signHash(digest, hashOf(digest, data));
      expect(verify(digest, data, key.certificate.publicKey, signature)).toBe(true);
      expect(
        await isSignatureOfHash(key.certificate.publicKey, digest, hashOf(digest, data), signature),
      ).toBe(true);
    },
  );

  test.skipIf(!hasOpenssl).each(KINDS)(
    'makes with %s what openssl pkeyutl verifies over the hash',
    async (kind) => {
      const key = holderKey({ key: kind });
      const hash = hashOf('sha256', data);
      const spki = key.certificate.publicKey.export({ format: 'pem', type: 'spki' });
      const judged = openssl(
        ...[
          'pkeyutl',
          '-verify',
          '-pubin',
          '-inkey',
          files.file('key.pem', spki),
          '-pkeyopt',
          'digest:sha256',
        ],
        ...[
          '-in',
          files.file('hash', hash),
          '-sigfile',
          files.file('sig', await key.signHash('sha256', hash)),
        ],
      );
      expect(judged).toMatchObject({ ok: true });
    },
  );

  test('refuses a hash of another length than its algorithm gives', async () => {
    const refusal = { name: 'SigningRefused', reason: 'hash-length' };
    await expect(holderKey().signHash('sha256', Buffer.alloc(64))).rejects.toMatchObject(refusal);
    await expect(holderKey({ key: 'p256' }).signHash('sha512', Buffer.alloc(32))).rejects.toMatchObject(
      refusal,
    );
  });

  test('refuses a key that is not the one of the certificate', () => {
    const { certificate, chain } = testPki().holder();
    expect(() => localKey(testKey('rsa2048', 'another'), certificate, chain)).toThrow(
      expect.objectContaining({ reason: 'key-mismatch' }),
    );
  });

  test('refuses a public key, an RSA key too small or too large, and keys of other kinds', () => {
    const { certificate, chain } = testPki().holder();
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
    const other = generateKeyPairSync('ed25519').privateKey;
    const curve = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
    expect(() => localKey(certificate.publicKey, certificate, chain)).toThrow(SigningRefused);
    expect(() => checkKey(small)).toThrow(expect.objectContaining({ reason: 'key-size' }));
    expect(() => checkKey(other)).toThrow(expect.objectContaining({ reason: 'key-type' }));
    expect(() => checkKey(curve)).toThrow(expect.objectContaining({ reason: 'key-type' }));
    const n = Buffer.alloc(4104 / 8, 0xff).toString('base64url');
    const large = createPublicKey({ key: { kty: 'RSA', n, e: 'AQAB' }, format: 'jwk' });
    expect(() => checkKey(large)).toThrow(expect.objectContaining({ reason: 'key-size' }));
  });
});

describe('a signature over bytes', () => {
  test.each(KINDS)('of %s holds for its key and these bytes alone', (kind) => {
    const { certificate, privateKey } = testPki().holder({ key: kind });
    const signature = sign('sha256', data, privateKey);
    const holds = (key = certificate.publicKey, bytes = data, by = signature) =>
      isSignatureOfBytes(key, 'sha256', bytes, by);
    expect(holds()).toBe(true);
    expect(holds(createPublicKey(testKey(kind, 'another')))).toBe(false);
    expect(holds(undefined, Buffer.from('other content'))).toBe(false);
    expect(holds(undefined, undefined, Buffer.from('no signature'))).toBe(false);
    expect(isSignatureOfBytes(certificate.publicKey, 'sha384', data, signature)).toBe(false);
  });

  test('of RSA is by PKCS#1 v1.5, and of EC in DER', () => {
    const padding = constants.RSA_PKCS1_PSS_PADDING;
    const pss = sign('sha256', data, { key: testKey(), padding });
    expect(isSignatureOfBytes(createPublicKey(testKey()), 'sha256', data, pss)).toBe(false);
    const pair = sign('sha256', data, { key: testKey('p256'), dsaEncoding: 'ieee-p1363' });
    expect(isSignatureOfBytes(createPublicKey(testKey('p256')), 'sha256', data, pair)).toBe(false);
  });

  test('is not looked at when the key must not sign, or takes too long', () => {
    const check = (key: KeyObject) => () => isSignatureOfBytes(key, 'sha256', data, Buffer.alloc(64));
    const other = generateKeyPairSync('ed25519').publicKey;
    expect(check(other)).toThrow(expect.objectContaining({ reason: 'key-type' }));
    const { n } = createPublicKey(testKey()).export({ format: 'jwk' });
    const slow = createPublicKey({ key: { kty: 'RSA', n: String(n), e: String(n) }, format: 'jwk' });
    expect(check(slow)).toThrow(expect.objectContaining({ reason: 'key-size' }));
  });
});

describe('a signature over a hash', () => {
  test.each(KINDS)('of %s is refused when a byte of it, or of the hash, is another', async (kind) => {
    const key = holderKey({ key: kind });
    const hash = hashOf('sha256', data);
    const signature = await key.signHash('sha256', hash);
    const { publicKey } = key.certificate;
    const changed = (bytes: Buffer) => Buffer.from(bytes.map((byte, i) => (i === 9 ? byte ^ 1 : byte)));
    expect(await isSignatureOfHash(publicKey, 'sha256', hash, changed(signature))).toBe(false);
    expect(await isSignatureOfHash(publicKey, 'sha256', changed(hash), signature)).toBe(false);
    expect(await isSignatureOfHash(publicKey, 'sha256', hash, Buffer.from('no signature'))).toBe(false);
    expect(
      await isSignatureOfHash(createPublicKey(testKey(kind, 'another')), 'sha256', hash, signature),
    ).toBe(false);
  });

  test('is over the DigestInfo that PKCS#1 fixes', () => {
    const hash = createHash('sha256').digest();
    expect(digestInfo('sha256', hash).toString('hex')).toBe(
      `3031300d060960864801650304020105000420${hash.toString('hex')}`,
    );
  });
});
