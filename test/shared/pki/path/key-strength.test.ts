import { createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { TAG } from '../../../../shared/der/tags.ts';
import { integer, NULL, octetString, oid, sequence, tlv } from '../../../../shared/der/write.ts';
import { isForgeable } from '../../../../shared/pki/path/key-strength.ts';
import { outcomeOfSignature } from '../../../../shared/pki/path/signed.ts';

// Any odd number can be the modulus: only its size counts.
function rsa(bits: number, exponent: bigint): KeyObject {
  const numbers = sequence(integer(2n ** BigInt(bits) - 1n), integer(exponent));
  const algorithm = sequence(oid('1.2.840.113549.1.1.1'), NULL);
  const key = sequence(algorithm, tlv(TAG.BIT_STRING, Buffer.from([0]), numbers));
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve });

// CVE-2020-0601: P-256 with another generator, the public key itself, whose private key is then 1.
function ownCurve(): KeyObject {
  const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
  const b = '5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b';
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const { x = '', y = '' } = curve('prime256v1').publicKey.export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  const a = Buffer.from((p - 3n).toString(16), 'hex');
  const parameters = sequence(
    integer(1),
    sequence(oid('1.2.840.10045.1.1'), integer(p)),
    sequence(octetString(a), octetString(Buffer.from(b, 'hex'))),
    octetString(point),
    integer(order),
    integer(1),
  );
  const algorithm = sequence(oid('1.2.840.10045.2.1'), parameters);
  const key = sequence(algorithm, tlv(TAG.BIT_STRING, Buffer.from([0]), point));
  return createPublicKey({ key, format: 'der', type: 'spki' });
}

describe('a key that others than its holder can sign for', () => {
  test.each([
    ['RSA of 512 bits', rsa(512, 65_537n)],
    ['RSA of 768 bits', rsa(768, 65_537n)],
    ['RSA with the exponent 1', rsa(2048, 1n)],
    ['RSA with an exponent that is even', rsa(2048, 4n)],
    ['a curve of 112 bits', curve('secp112r1').publicKey],
    ['a curve of 128 bits', curve('secp128r1').publicKey],
    ['a curve of its maker’s choosing', ownCurve()],
  ])('is %s', (_what, key) => {
    expect(isForgeable(key)).toBe(true);
  });

  test.each([
    ['RSA of 1024 bits, which is weak', rsa(1024, 65_537n)],
    ['RSA with the exponent 3', rsa(2048, 3n)],
    ['P-256', curve('prime256v1').publicKey],
    ['P-521', curve('secp521r1').publicKey],
    ['a Brainpool curve', curve('brainpoolP256r1').publicKey],
    ['Ed25519', generateKeyPairSync('ed25519').publicKey],
  ])('is not %s', (_what, key) => {
    expect(isForgeable(key)).toBe(false);
  });

  test('has signed nothing, even what it did sign', () => {
    const tbs = Buffer.from('signed');
    const signatureAlgorithm = { oid: '1.2.840.10045.4.3.2', der: sequence(oid('1.2.840.10045.4.3.2')) };
    const made = (namedCurve: string): boolean => {
      const { publicKey, privateKey } = curve(namedCurve);
      const signature = sign('sha256', tbs, privateKey);
      return outcomeOfSignature({ tbs, signatureAlgorithm, signature }, publicKey) === 'made';
    };
    expect(made('prime256v1')).toBe(true);
    expect(made('secp112r1')).toBe(false);
  });
});
