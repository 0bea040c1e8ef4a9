import { createPublicKey, randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { NULL, octetString, oid, sequence, setOf, time, utf8String } from '../../../../shared/der/write.ts';
import { measure } from '../../../../shared/signing/cades/content.ts';
import { signAttached, signDetached } from '../../../../shared/signing/cades/sign.ts';
import { type CadesReport, verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { ATTRIBUTE, CONTENT, RSA_WITH } from '../../../../shared/signing/cms/oids.ts';
import { readSignedData } from '../../../../shared/signing/cms/read.ts';
import { attribute } from '../../../../shared/signing/cms/signer-info.ts';
import { digestInfo, hashOf } from '../../../../shared/signing/digest.ts';
import { CmsMalformed } from '../../../../shared/signing/errors.ts';
import type { SigningKey } from '../../../../shared/signing/key.ts';
import { below, testKey } from '../../../certificates/pki.ts';
import { holderKey, judge, pki } from '../cms/fixtures.ts';
import { flips, signedRanges } from '../cms/flips.ts';
import { forged, goodAttributes } from '../cms/forge.ts';

const content = randomBytes(300);
const key = holderKey();
const now = Date.now();
const context = { judge, atMs: now };

const errorsOf = ({ signers }: CadesReport) => signers[0]?.results.errors.map(({ type }) => type);

/** Whether the verifier takes the file for good; bytes that are no CMS at all are not. */
async function isValid(signature: Buffer): Promise<boolean> {
  try {
    return (await verifyCades(signature, context)).valid;
  } catch (error) {
    expect(error).toBeInstanceOf(CmsMalformed);
    return false;
  }
}

describe('a signature that somebody changed', () => {
  test('is refused whichever byte of what is signed is another', async () => {
    const signature = await buffer(signAttached(() => content, key, { signingTimeMs: now }));
    const ranges = signedRanges(signature, key.certificate.der);
    expect(await isValid(signature)).toBe(true);
    for (const { at, changed } of flips(signature, ranges, 3))
      expect(await isValid(changed), `byte ${at}`).toBe(false);
  });

  test('is refused when it is cut short anywhere, or when bytes follow it', async () => {
    const signature = await buffer(signAttached(() => content, key, { signingTimeMs: now }));
    for (let length = 0; length < signature.length; length += 97)
      await expect(verifyCades(signature.subarray(0, length), context)).rejects.toBeInstanceOf(CmsMalformed);
    for (const more of ['more', '\0\0\0more', `${'\0'.repeat(5000)}1`])
      await expect(
        verifyCades(Buffer.concat([signature, Buffer.from(more)]), context),
      ).rejects.toBeInstanceOf(CmsMalformed);
  });

  test('is good with zeros after it, as a field of a fixed size leaves them', async () => {
    const attached = await buffer(signAttached(() => content, key, { signingTimeMs: now }));
    const detached = await signDetached(await measure(content, 'sha256'), key, { signingTimeMs: now });
    const padded = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(10_000)]);
    expect(await verifyCades(padded(attached), context)).toMatchObject({ valid: true });
    expect(await verifyCades(padded(detached), { ...context, content })).toMatchObject({ valid: true });
  });

  test("signer substitution (RFC 5035): is refused with another certificate of the same key in place of the signer's", async () => {
    const twin = holderKey({ commonName: 'SOMEBODY ELSE:11144477735' });
    expect(twin.certificate.spki).toEqual(key.certificate.spki);
    const attributes = Object.values(goodAttributes(key, content));
    const report = await verifyCades(await forged({ key: twin, attributes, content }), context);
    expect(errorsOf(report)).toEqual(['SigningCertificateDigestMismatch']);
  });

  test("is refused without the signer's certificate", async () => {
    const attributes = Object.values(goodAttributes(key, content));
    const report = await verifyCades(
      await forged({ key, attributes, content, certificates: key.chain }),
      context,
    );
    expect(errorsOf(report)).toEqual(['SigningCertificateNotFound']);
  });
});

test('key forgery: a signature that anyone could make, because the key has the exponent 1, is refused', async () => {
  const jwk = key.certificate.publicKey.export({ format: 'jwk' });
  const publicKey = createPublicKey({ key: { ...jwk, e: 'AQ' }, format: 'jwk' });
  const subject = [['commonName', 'ABERTO']] as const;
  const { certificate } = below(pki.intermediate, testKey(), () => ({ subject, extensions: [], publicKey }));
  const padded = (info: Buffer): Buffer =>
    Buffer.concat([Buffer.from([0, 1]), Buffer.alloc(253 - info.length, 0xff), Buffer.from([0]), info]);
  const open: SigningKey = {
    ...key,
    certificate,
    signHash: async (digest, hash) => padded(digestInfo(digest, hash)),
  };
  const attributes = Object.values(goodAttributes(open, content));
  const report = await verifyCades(await forged({ key: open, attributes, content }), context);
  expect(errorsOf(report)).toEqual(['AlgorithmNotAllowed']);
});

describe('a signature that its signer made wrong', () => {
  const good = goodAttributes(key, content);
  const other = hashOf('sha256', Buffer.from('other'));

  test('would be valid if it were made right', async () => {
    expect(await isValid(await forged({ key, attributes: Object.values(good), content }))).toBe(true);
  });

  test.each<[string, Buffer[], string]>([
    [
      'without a message digest',
      [good.contentType, good.signingCertificate],
      'RequiredSignedAttributeMissing',
    ],
    [
      'without a content type',
      [good.messageDigest, good.signingCertificate],
      'RequiredSignedAttributeMissing',
    ],
    [
      'without a signing certificate',
      [good.messageDigest, good.contentType],
      'SignatureVulnerableToSignerSubstitution',
    ],
    [
      'with two message digests in one attribute',
      [
        good.contentType,
        good.signingCertificate,
        attribute(ATTRIBUTE.messageDigest, octetString(hashOf('sha256', content)), octetString(other)),
      ],
      'RequiredSignedAttributeMissing',
    ],
    [
      'with a message digest that is cut to a few bytes',
      [
        good.contentType,
        good.signingCertificate,
        attribute(ATTRIBUTE.messageDigest, octetString(hashOf('sha256', content).subarray(0, 4))),
      ],
      'MessageDigestMismatch',
    ],
    [
      'with an empty message digest',
      [
        good.contentType,
        good.signingCertificate,
        attribute(ATTRIBUTE.messageDigest, octetString(Buffer.alloc(0))),
      ],
      'MessageDigestMismatch',
    ],
    [
      'with a message digest that is text',
      [good.contentType, good.signingCertificate, attribute(ATTRIBUTE.messageDigest, utf8String('digest'))],
      'RequiredSignedAttributeMissing',
    ],
    [
      'over content of another type (RFC 5652, 11.1)',
      [
        good.messageDigest,
        good.signingCertificate,
        attribute(ATTRIBUTE.contentType, oid(CONTENT.timestampInfo)),
      ],
      'ContentTypeMismatch',
    ],
  ])('is refused %s', async (_, attributes, error) => {
    expect(errorsOf(await verifyCades(await forged({ key, attributes, content }), context))).toEqual([error]);
  });

  test('algorithm substitution (RFC 8933): is refused when its signature uses another digest than its attributes', async () => {
    const attributes = Object.values(good);
    const signature = await key.signHash('sha512', hashOf('sha512', setOf(...attributes)));
    const signatureAlgorithm = sequence(oid(RSA_WITH.sha512), NULL);
    const report = await verifyCades(
      await forged({ key, attributes, content, signature, signatureAlgorithm }),
      context,
    );
    expect(errorsOf(report)).toEqual(['AlgorithmNotAllowed']);
  });

  test('is refused when it names a digest that is not known here', async () => {
    const signature = await forged({ key, attributes: Object.values(good), content });
    const name = oid('2.16.840.1.101.3.4.2.1');
    const other = Buffer.from(signature);
    other[signature.lastIndexOf(name) + name.length - 1] = 0x63;
    expect(errorsOf(await verifyCades(other, context))).toEqual(['AlgorithmNotAllowed']);
  });

  test.each<[string, Buffer, string]>([
    [
      'message digest',
      attribute(ATTRIBUTE.messageDigest, octetString(other)),
      'RequiredSignedAttributeMissing',
    ],
    ['content type', good.contentType, 'RequiredSignedAttributeMissing'],
    ['signing certificate', good.signingCertificate, 'ForbiddenSignedAttributePresent'],
  ])('parser differential: is refused when its %s occurs twice', async (_, again, error) => {
    const twice = await forged({ key, attributes: [...Object.values(good), again], content });
    const report = await verifyCades(twice, context);
    expect(report).toMatchObject({ valid: false, signers: [{ intact: false }] });
    expect(errorsOf(report)).toContain(error);
  });

  test('parser differential: is refused with two signing times, of which a reader would choose one', async () => {
    const times = [0, 1].map((ms) => attribute(ATTRIBUTE.signingTime, time(now - ms * 86_400_000)));
    const report = await verifyCades(
      await forged({ key, attributes: [...Object.values(good), ...times], content }),
      context,
    );
    expect(report).toMatchObject({ valid: false, signers: [{ intact: false, claimedTimeMs: undefined }] });
    expect(errorsOf(report)).toEqual(['ForbiddenSignedAttributePresent']);
  });

  test('signed-attributes confusion (RFC 5652, 5.4): is refused when the attributes of one are the content of another', async () => {
    // The SET that was signed, as content: its signature is the same, and signed attributes are gone.
    const { signers } = readSignedData(
      await signDetached(await measure(content, 'sha256'), key, { signingTimeMs: now }),
    );
    const [signer] = signers;
    const attributes = signer?.signedDer ?? Buffer.alloc(0);
    const signature = signer?.signature ?? Buffer.alloc(0);
    const report = await verifyCades(await forged({ key, content: attributes, signature }), {
      ...context,
      profile: 'cms',
    });
    expect(errorsOf(report)).toEqual(['RequiredSignedAttributeMissing']);
  });

  test('is reported to have signed attributes that are not understood, once or more', async () => {
    const unknown = [1, 2].map((n) => attribute('1.2.3.4.5', utf8String(`something ${n}`)));
    const report = await verifyCades(
      await forged({ key, attributes: [...Object.values(good), ...unknown], content }),
      context,
    );
    expect(report).toMatchObject({ valid: true, signers: [{ intact: true }] });
    const [warning] = report.signers[0]?.results.warnings ?? [];
    expect(warning).toMatchObject({ type: 'UnknownSignedAttributesPresent' });
    expect(warning?.message).toContain('1.2.3.4.5');
  });

  test('is reported to have unsigned attributes that are not judged, by their names', async () => {
    const unsigned = ['1.2.840.113549.1.9.16.2.48', '1.2.840.113549.1.9.16.2.49', '1.2.3.4.5'].map((type) =>
      attribute(type, utf8String('something')),
    );
    const report = await verifyCades(
      await forged({ key, attributes: Object.values(good), unsigned, content }),
      context,
    );
    expect(report.valid).toBe(true);
    const told = report.signers[0]?.results.warnings.filter(
      ({ type }) => type === 'UnknownUnsignedAttributesPresent',
    );
    expect(told?.map(({ message }) => message)).toEqual([
      'Present and not judged here: an archive timestamp of version 2 (1.2.840.113549.1.9.16.2.48), an internal evidence record (1.2.840.113549.1.9.16.2.49).',
      'Unsigned attributes that are not understood here: 1.2.3.4.5.',
    ]);
  });
});
