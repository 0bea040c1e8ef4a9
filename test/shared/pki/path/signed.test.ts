import {
  constants,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { childrenOf, readDer } from '../../../../shared/der/read.ts';
import { TAG } from '../../../../shared/der/tags.ts';
import { explicit, integer, NULL, oid, sequence } from '../../../../shared/der/write.ts';
import { readAlgorithm } from '../../../../shared/pki/certificate/certificate.ts';
import { outcomeOfSignature } from '../../../../shared/pki/path/signed.ts';
import { testKey } from '../../../certificates/pki.ts';

const tbs = Buffer.from('to be signed');
const algorithm = (id: string, parameters?: Buffer) =>
  readAlgorithm(readDer(sequence(oid(id), ...(parameters ? [parameters] : []))));

const SHA256 = sequence(oid('2.16.840.1.101.3.4.2.1'), NULL);
const pssParameters = (saltLength: number, mask = SHA256): Buffer =>
  sequence(
    explicit(0, SHA256),
    explicit(1, sequence(oid('1.2.840.113549.1.1.8'), mask)),
    explicit(2, integer(saltLength)),
  );

const RSA_SHA256 = '1.2.840.113549.1.1.11';
const RSA_PSS = '1.2.840.113549.1.1.10';
const ECDSA_SHA256 = '1.2.840.10045.4.3.2';

const judged = (id: string, parameters: Buffer | undefined, signature: Buffer, key: KeyObject): boolean =>
  outcomeOfSignature(
    { tbs, signatureAlgorithm: algorithm(id, parameters), signature },
    createPublicKey(key),
  ) === 'made';

describe('a signature is one of the key', () => {
  const rsa = testKey('rsa2048', 'signed');
  const ec = testKey('p256', 'signed');
  const ed25519 = generateKeyPairSync('ed25519').privateKey;
  const ed448 = generateKeyPairSync('ed448').privateKey;
  const brainpool = generateKeyPairSync('ec', { namedCurve: 'brainpoolP512r1' }).privateKey;

  test('by RSA, ECDSA on any curve, and EdDSA', () => {
    expect(judged(RSA_SHA256, NULL, sign('sha256', tbs, rsa), rsa)).toBe(true);
    expect(judged(ECDSA_SHA256, undefined, sign('sha256', tbs, ec), ec)).toBe(true);
    expect(judged('1.2.840.10045.4.3.4', undefined, sign('sha512', tbs, brainpool), brainpool)).toBe(true);
    expect(judged('1.3.101.112', undefined, sign(null, tbs, ed25519), ed25519)).toBe(true);
    expect(judged('1.3.101.113', undefined, sign(null, tbs, ed448), ed448)).toBe(true);
  });

  test('by RSA-PSS with the parameters that it names', () => {
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    const signature = sign('sha256', tbs, { key: rsa, ...padding });
    expect(judged(RSA_PSS, pssParameters(32), signature, rsa)).toBe(true);
    expect(judged(RSA_PSS, pssParameters(20), signature, rsa)).toBe(false);
    expect(judged(RSA_PSS, pssParameters(32, sequence(oid('1.3.14.3.2.26'), NULL)), signature, rsa)).toBe(
      false,
    );
    expect(judged(RSA_PSS, undefined, signature, rsa)).toBe(false);
  });

  test('by RSA-PSS whose mask uses another digest, unless the key is for one mask alone', () => {
    const sha1 = sequence(oid('1.3.14.3.2.26'), NULL);
    const masked: object = { hashAlgorithm: 'sha256', mgf1HashAlgorithm: 'sha1', saltLength: 20 };
    const { privateKey } = generateKeyPairSync('rsa-pss', { modulusLength: 2048, ...masked });
    const signature = sign('sha256', tbs, { key: privateKey, saltLength: 20 });
    expect(judged(RSA_PSS, pssParameters(20, sha1), signature, privateKey)).toBe(true);
    // The same key without the restriction: the signature chooses the mask.
    const pkcs8 = Buffer.from(privateKey.export({ format: 'der', type: 'pkcs8' }));
    const [, , numbers] = childrenOf(readDer(pkcs8), TAG.SEQUENCE);
    const free = createPrivateKey({ key: numbers?.content ?? pkcs8, format: 'der', type: 'pkcs1' });
    expect(judged(RSA_PSS, pssParameters(20, sha1), signature, free)).toBe(true);
    expect(judged(RSA_PSS, pssParameters(20), signature, free)).toBe(false);
    const sha512 = sequence(oid('2.16.840.1.101.3.4.2.3'), NULL);
    expect(judged(RSA_PSS, pssParameters(20, sha512), signature, privateKey)).toBe(false);
  });

  test('or cannot be checked: then it is neither made by the key nor not', () => {
    const outcome = (id: string, parameters?: Buffer) =>
      outcomeOfSignature(
        { tbs, signatureAlgorithm: algorithm(id, parameters), signature: sign('sha256', tbs, rsa) },
        createPublicKey(rsa),
      );
    expect(outcome('1.2.3')).toBe('unsupported');
    expect(outcome(RSA_SHA256, NULL)).toBe('made');
    expect(outcome('1.2.840.113549.1.1.13', NULL)).toBe('not-made');
    expect(outcome(ECDSA_SHA256)).toBe('not-made');
    // OpenSSL's cms writes rsaEncryption for a key that is restricted to RSA-PSS.
    const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 });
    const signature = sign('sha256', tbs, pss.privateKey);
    const mislabeled = { tbs, signatureAlgorithm: algorithm(RSA_SHA256, NULL), signature };
    expect(outcomeOfSignature(mislabeled, pss.publicKey)).toBe('unsupported');
  });

  test('not under the identifier of another algorithm', () => {
    expect(judged(ECDSA_SHA256, undefined, sign('sha256', tbs, rsa), rsa)).toBe(false);
    expect(judged(RSA_SHA256, NULL, sign('sha256', tbs, ec), ec)).toBe(false);
    expect(judged('1.2.840.113549.1.1.13', NULL, sign('sha256', tbs, rsa), rsa)).toBe(false);
    expect(judged('1.3.101.112', undefined, sign(null, tbs, ed448), ed448)).toBe(false);
    expect(judged('1.2.3', undefined, sign('sha256', tbs, rsa), rsa)).toBe(false);
  });

  test('not when it is empty, or nonsense', () => {
    expect(judged(RSA_SHA256, NULL, Buffer.alloc(0), rsa)).toBe(false);
    expect(judged(ECDSA_SHA256, undefined, Buffer.from('30ff', 'hex'), ec)).toBe(false);
    expect(judged(RSA_PSS, integer(1), Buffer.alloc(256), rsa)).toBe(false);
  });
});
