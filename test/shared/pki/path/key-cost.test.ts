import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { TAG } from '../../../../shared/der/tags.ts';
import { integer, NULL, oid, sequence, tlv } from '../../../../shared/der/write.ts';
import { isCostly } from '../../../../shared/pki/path/key-cost.ts';
import { outcomeOfSignature } from '../../../../shared/pki/path/signed.ts';

// Any odd number does for a modulus: only its size counts.
function rsa(bits: number, exponent: bigint): KeyObject {
  const numbers = sequence(integer(2n ** BigInt(bits) - 1n), integer(exponent));
  const algorithm = sequence(oid('1.2.840.113549.1.1.1'), NULL);
  const key = sequence(algorithm, tlv(TAG.BIT_STRING, Buffer.from([0]), numbers));
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

describe('a key that takes too long to check with', () => {
  test.each([
    ['an RSA key of 16384 bits', rsa(16_384, 65_537n)],
    ['an RSA key whose exponent is as long as itself', rsa(2048, 2n ** 2047n + 1n)],
    [
      'a key on a curve over a binary field',
      generateKeyPairSync('ec', { namedCurve: 'sect571r1' }).publicKey,
    ],
  ])('is %s', (_what, key) => {
    expect(isCostly(key)).toBe(true);
  });

  test.each([
    ['RSA of 2048 bits', rsa(2048, 65_537n)],
    ['RSA of 8192 bits', rsa(8192, 65_537n)],
    ['RSA with the exponent 3', rsa(2048, 3n)],
    ['P-256', generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).publicKey],
    ['P-521', generateKeyPairSync('ec', { namedCurve: 'secp521r1' }).publicKey],
    ['a Brainpool curve', generateKeyPairSync('ec', { namedCurve: 'brainpoolP512r1' }).publicKey],
    ['Ed448', generateKeyPairSync('ed448').publicKey],
  ])('is none that is in use: %s', (_what, key) => {
    expect(isCostly(key)).toBe(false);
  });

  test('has signed nothing, even what it did sign', () => {
    const tbs = Buffer.from('signed');
    const signatureAlgorithm = { oid: '1.2.840.10045.4.3.2', der: sequence(oid('1.2.840.10045.4.3.2')) };
    const made = (namedCurve: string): boolean => {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve });
      const signature = sign('sha256', tbs, privateKey);
      return outcomeOfSignature({ tbs, signatureAlgorithm, signature }, publicKey) === 'made';
    };
    expect(made('prime256v1')).toBe(true);
    expect(made('sect571r1')).toBe(false);
  });
});
