import { constants, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { holderProfile } from '../../../../functions/sandbox/authority/domain/issuing/profiles.ts';
import { NULL, octetString, oid, sequence, setOf } from '../../../../shared/der/write.ts';
import { parseCertificate } from '../../../../shared/pki/certificate/certificate.ts';
import { resultsOf } from '../../../../shared/pki/findings/validation-results.ts';
import { type CadesReport, verifyCades } from '../../../../shared/signing/cades/verify.ts';
import type { Judge } from '../../../../shared/signing/cms/judge.ts';
import { ATTRIBUTE, ECDSA_WITH } from '../../../../shared/signing/cms/oids.ts';
import { attribute } from '../../../../shared/signing/cms/signer-info.ts';
import { type Digest, hashOf } from '../../../../shared/signing/digest.ts';
import type { SigningKey } from '../../../../shared/signing/key.ts';
import { below, type Holder } from '../../../certificates/pki.ts';
import { holderKey, judge, pki } from './fixtures.ts';
import { forged, goodAttributes } from './forge.ts';
import { folder, hasOpenssl, opensslSigner } from './openssl.ts';

const files = folder();
afterAll(() => files.remove());

const content = randomBytes(300);
const context = { judge, atMs: Date.now() };

/** A holder with a key of any kind, below the authority of the tests. */
const holderOf = (privateKey: KeyObject): Holder =>
  below(pki.intermediate, privateKey, (keys) => ({
    subject: [['commonName', `HOLDER OF ${privateKey.asymmetricKeyType}`]],
    extensions: holderProfile({
      ...keys,
      holder: { person: { cpf: '52998224725', birthDate: '15021980', rg: '1', rgIssuer: 'SSPSP' } },
      policies: ['2.16.76.1.2.1.999'],
    }),
  }));

const ecKey = (namedCurve: string): KeyObject => generateKeyPairSync('ec', { namedCurve }).privateKey;
const rsaKey = (modulusLength: number): KeyObject => generateKeyPairSync('rsa', { modulusLength }).privateKey;
const pssKey = (options: object = {}): KeyObject =>
  generateKeyPairSync('rsa-pss', { modulusLength: 2048, ...options }).privateKey;

const messagesOf = ({ signers }: CadesReport) => signers[0]?.results.errors.map(({ message }) => message);

/** The file with one byte of its content another. */
function changed(signature: Buffer): Buffer {
  const other = Buffer.from(signature);
  const at = signature.indexOf(content);
  other[at] = (other[at] ?? 0) ^ 1;
  return other;
}

const PSS = ['-keyopt', 'rsa_padding_mode:pss'];

describe.skipIf(!hasOpenssl)('what openssl signs is valid, and broken when a byte is another', () => {
  test.each<[string, () => Holder, readonly string[]]>([
    ['Brainpool of 256 bits', () => holderOf(ecKey('brainpoolP256r1')), []],
    ['Brainpool of 512 bits with SHA-512', () => holderOf(ecKey('brainpoolP512r1')), ['-md', 'sha512']],
    ['P-521', () => holderOf(ecKey('secp521r1')), ['-md', 'sha512']],
    ['RSA with SHA3-256', () => pki.holder(), ['-md', 'sha3-256']],
    ['RSA-PSS without a salt', () => pki.holder(), [...PSS, '-keyopt', 'rsa_pss_saltlen:0']],
    ['RSA-PSS with the longest salt', () => pki.holder(), [...PSS, '-keyopt', 'rsa_pss_saltlen:-2']],
    ['RSA-PSS with a mask of its own', () => pki.holder(), [...PSS, '-keyopt', 'rsa_mgf1_md:sha1']],
    ['a key for RSA-PSS alone', () => holderOf(pssKey()), PSS],
    [
      'a key for RSA-PSS with one mask',
      () => holderOf(pssKey({ hashAlgorithm: 'sha256', mgf1HashAlgorithm: 'sha1', saltLength: 20 })),
      [...PSS, '-keyopt', 'rsa_mgf1_md:sha1', '-keyopt', 'rsa_pss_saltlen:20'],
    ],
  ])('%s', async (_, holder, args) => {
    const signature = opensslSigner(files, holder(), content)('-cades', ...args);
    const report = await verifyCades(signature, context);
    expect(messagesOf(report)).toEqual([]);
    expect(report).toMatchObject({ valid: true, signers: [{ intact: true }] });
    expect(await verifyCades(changed(signature), context)).toMatchObject({
      valid: false,
      signers: [{ intact: false }],
    });
  });
});

describe.skipIf(!hasOpenssl)('what openssl signs by an algorithm that has become weak', () => {
  const WEAK: [string, () => Holder, readonly string[]][] = [
    ['RSA with SHA-1', () => pki.holder(), ['-md', 'sha1']],
    ['RSA with SHA-224', () => pki.holder(), ['-md', 'sha224']],
    ['ECDSA with SHA-1', () => holderOf(ecKey('prime256v1')), ['-md', 'sha1']],
    ['RSA of 1024 bits', () => holderOf(rsaKey(1024)), []],
    ['RSA of 2040 bits', () => holderOf(rsaKey(2040)), []],
    ['RSA-PSS of 1536 bits', () => holderOf(pssKey({ modulusLength: 1536 })), PSS],
    ['P-192', () => holderOf(ecKey('prime192v1')), []],
    ['a Koblitz curve of 160 bits', () => holderOf(ecKey('secp160k1')), []],
    ['Brainpool of 192 bits', () => holderOf(ecKey('brainpoolP192r1')), []],
  ];
  const trusting: Judge = async () => ({ status: 'ACTIVE', results: resultsOf([]) });

  test.each(WEAK)('is intact, and valid only as of then: %s', async (_, holder, args) => {
    const signature = opensslSigner(files, holder(), content)('-cades', ...args);
    const now = await verifyCades(signature, context);
    expect(now).toMatchObject({ valid: false, signers: [{ intact: true }] });
    expect(now.signers[0]?.results.errors.map(({ type }) => type)).toEqual(['AlgorithmNotAllowed']);
    const then = await verifyCades(signature, { judge: trusting, atMs: Date.UTC(2011, 5) });
    expect(then.valid).toBe(true);
    expect(then.signers[0]?.results.warnings.map(({ type }) => type)).toContain('AlgorithmNotAllowed');
  });
});

/** A signature by a key that node:crypto signs with, under whatever algorithm is named. */
async function madeBy(
  privateKey: KeyObject,
  digest: Digest,
  algorithm: string,
  hash: string | null = digest,
) {
  const { certificate, chain } = holderOf(privateKey);
  const key: SigningKey = { certificate, chain, signHash: async () => Buffer.alloc(0) };
  const attributes = Object.values(goodAttributes(key, content, digest));
  const signature = sign(hash, setOf(...attributes), privateKey);
  const signatureAlgorithm = sequence(oid(algorithm));
  return forged({ key, attributes, content, digest, signature, signatureAlgorithm });
}

describe('a signature by an algorithm of its own standard', () => {
  test.each<[string, () => Promise<Buffer>]>([
    [
      'Ed25519 (RFC 8419)',
      () => madeBy(generateKeyPairSync('ed25519').privateKey, 'sha512', '1.3.101.112', null),
    ],
    ['Ed448', () => madeBy(generateKeyPairSync('ed448').privateKey, 'sha512', '1.3.101.113', null)],
    ['ECDSA with SHA3-384', () => madeBy(ecKey('secp384r1'), 'sha3-384', ECDSA_WITH['sha3-384'])],
  ])('is valid, and broken when a byte is another: %s', async (_, make) => {
    const signature = await make();
    expect(await verifyCades(signature, context)).toMatchObject({ valid: true, signers: [{ intact: true }] });
    expect(await verifyCades(changed(signature), context)).toMatchObject({
      valid: false,
      signers: [{ intact: false }],
    });
  });

  test('algorithm confusion: is refused when it is named for another kind of key', async () => {
    const report = await verifyCades(
      await madeBy(generateKeyPairSync('ed448').privateKey, 'sha512', '1.3.101.112', null),
      context,
    );
    expect(report).toMatchObject({ valid: false, signers: [{ intact: false }] });
  });
});

describe('an unsupported part is reported, and not as broken:', () => {
  const key = holderKey();
  const good = goodAttributes(key, content);
  const DSA_SHA256 = sequence(oid('2.16.840.1.101.3.4.3.2'));

  test.skipIf(!hasOpenssl)('a digest', async () => {
    const signature = opensslSigner(files, pki.holder(), content)('-cades', '-md', 'md5');
    const report = await verifyCades(signature, context);
    expect(report).toMatchObject({ valid: false, signers: [{ intact: undefined, verdict: undefined }] });
    expect(messagesOf(report)).toEqual([
      'The digest algorithm MD5 (1.2.840.113549.2.5) is not supported here: whether the content is as signed was not checked.',
    ]);
  });

  test('a signature algorithm, with what is known of the content', async () => {
    const signature = await forged({
      key,
      attributes: Object.values(good),
      content,
      signatureAlgorithm: DSA_SHA256,
    });
    const report = await verifyCades(signature, context);
    expect(report).toMatchObject({ valid: false, signers: [{ intact: undefined }] });
    expect(messagesOf(report)).toEqual([
      'The signature uses the algorithm DSA with SHA-256 (2.16.840.1.101.3.4.3.2) with sha256, which is not supported here: who made it was not checked. The content has the hash that the signature names.',
    ]);
  });

  test('and a content that does not have its hash is broken all the same', async () => {
    const messageDigest = attribute(
      ATTRIBUTE.messageDigest,
      octetString(hashOf('sha256', Buffer.from('other'))),
    );
    const attributes = [good.contentType, good.signingCertificate, messageDigest];
    const signature = await forged({ key, attributes, content, signatureAlgorithm: DSA_SHA256 });
    const report = await verifyCades(signature, context);
    expect(report).toMatchObject({ valid: false, signers: [{ intact: false }] });
    expect(messagesOf(report)?.at(-1)).toMatch(/does not have the hash that the signature names/);
  });

  test('a curve', async () => {
    const { certificate, privateKey, chain } = holderOf(ecKey('prime256v1'));
    const curve = Buffer.from('2a8648ce3d030107', 'hex'); // prime256v1, which becomes a curve that does not exist
    const der = Buffer.from(certificate.der);
    der[der.indexOf(curve) + curve.length - 1] = 0x7f;
    const unknown = { certificate: parseCertificate(der), chain, signHash: async () => Buffer.alloc(0) };
    const attributes = Object.values(goodAttributes(unknown, content));
    const signature = sign('sha256', setOf(...attributes), privateKey);
    const signatureAlgorithm = sequence(oid(ECDSA_WITH.sha256));
    const report = await verifyCades(
      await forged({ key: unknown, attributes, content, signature, signatureAlgorithm }),
      context,
    );
    expect(report).toMatchObject({ valid: false, signers: [{ intact: undefined }] });
    expect(messagesOf(report)?.join()).toMatch(/the key of HOLDER OF ec.* not supported here/);
  });

  test('a key that is too costly to check with', async () => {
    const report = await verifyCades(await madeBy(ecKey('sect571r1'), 'sha256', ECDSA_WITH.sha256), context);
    expect(report).toMatchObject({ valid: false, signers: [{ intact: undefined }] });
  });

  test('a mask function that is none of RSA-PSS', async () => {
    const privateKey = pssKey();
    const { certificate, chain } = holderOf(privateKey);
    const pss: SigningKey = { certificate, chain, signHash: async () => Buffer.alloc(0) };
    const attributes = Object.values(goodAttributes(pss, content));
    const padding = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 20 };
    const signature = sign('sha256', setOf(...attributes), { key: privateKey, ...padding });
    const hash = sequence(oid('2.16.840.1.101.3.4.2.1'), NULL);
    const parameters = sequence(
      Buffer.concat([Buffer.from([0xa0, hash.length]), hash]),
      Buffer.concat([Buffer.from([0xa1, 7]), sequence(oid('1.2.3.4'), NULL)]),
    );
    const signatureAlgorithm = sequence(oid('1.2.840.113549.1.1.10'), parameters);
    const report = await verifyCades(
      await forged({ key: pss, attributes, content, signature, signatureAlgorithm }),
      context,
    );
    expect(report).toMatchObject({ valid: false, signers: [{ intact: undefined }] });
  });

  test('more checks than a file may ask for', async () => {
    const signature = await forged({ key, attributes: Object.values(good), content });
    const report = await verifyCades(signature, { ...context, checks: { leftUnits: 0, known: new Map() } });
    expect(report).toMatchObject({ valid: false, signers: [{ intact: undefined }] });
    expect(messagesOf(report)?.[0]).toMatch(/was not checked: the file asks for more checks/);
  });
});

// Made by certtool 3.7.9: --p7-sign --outder over one line of text, with --p7-time for signed attributes.
describe('what GnuTLS signs', () => {
  const read = (name: string) => readFileSync(new URL(`./foreign/gnutls-${name}.p7m`, import.meta.url));

  test.each([
    ['with Ed25519, and no certificate bound', 'ed25519', true, 'SignatureVulnerableToSignerSubstitution'],
    ['with ECDSA over the content itself', 'p256-no-attributes', true, 'RequiredSignedAttributeMissing'],
    [
      'with Ed25519 over the content itself, which is not held',
      'ed25519-no-attributes',
      undefined,
      'RequiredSignedAttributeMissing',
    ],
  ])('is reported correctly %s', async (_, name, intact, error) => {
    const signature = read(name);
    const report = await verifyCades(signature, context);
    expect(report).toMatchObject({ valid: false, signers: [{ intact }] });
    expect(report.signers[0]?.results.errors.map(({ type }) => type)).toContain(error);
    const other = Buffer.from(signature.toString('latin1').replace('GnuTLS.', 'GnuTLZ.'), 'latin1');
    const isBroken = (await verifyCades(other, context)).signers[0]?.intact;
    expect(isBroken).toBe(intact ? false : undefined);
  });
});
