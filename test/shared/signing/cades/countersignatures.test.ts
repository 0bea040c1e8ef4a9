import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { utf8String } from '../../../../shared/der/write.ts';
import { type CadesReport, verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { ATTRIBUTE } from '../../../../shared/signing/cms/oids.ts';
import { readSignedData } from '../../../../shared/signing/cms/read.ts';
import { attribute } from '../../../../shared/signing/cms/signer-info.ts';
import { hashOf } from '../../../../shared/signing/digest.ts';
import type { SigningKey } from '../../../../shared/signing/key.ts';
import { requestTimestamp } from '../../../../shared/signing/timestamp/client.ts';
import { holderKey, judge } from '../cms/fixtures.ts';
import { type Forgery, forged, forgedSigner, goodAttributes } from '../cms/forge.ts';
import { reaching } from '../timestamp/fixtures.ts';

const content = randomBytes(300);
const now = Date.now();
const context = { judge, atMs: now };
const key = holderKey();
const notary = holderKey({ keyName: 'notary', commonName: 'TABELIA DE TESTE:11144477735' });

/** A countersignature as RFC 5652 has it: over the signature, and with no content type. */
const countersigned = (signature: Buffer, change: Partial<Forgery> = {}, by: SigningKey = notary) => {
  const { messageDigest, signingCertificate } = goodAttributes(by, signature);
  return forgedSigner({
    key: by,
    attributes: [messageDigest, signingCertificate],
    content: signature,
    ...change,
  });
};

/** A good signature with attributes that anybody may have added to it. */
const signedWith = (unsigned: (signature: Buffer) => Promise<readonly Buffer[]>) =>
  forged({
    key,
    attributes: Object.values(goodAttributes(key, content)),
    content,
    unsigned,
    certificates: [key.certificate, notary.certificate, ...key.chain],
  });

const reportOn = async (...countersignatures: ((signature: Buffer) => Promise<Buffer>)[]) =>
  verifyCades(
    await signedWith(async (signature) =>
      Promise.all(
        countersignatures.map(async (make) => attribute(ATTRIBUTE.countersignature, await make(signature))),
      ),
    ),
    context,
  );

const errorsOf = ({ signers }: CadesReport) => signers[0]?.results.errors.map(({ type }) => type);

describe('a countersignature', () => {
  test('is judged like any signature, each by itself, in one attribute or several', async () => {
    const good = (signature: Buffer) => countersigned(signature);
    const apart = await reportOn(good, good);
    const together = await verifyCades(
      await signedWith(async (signature) => [
        attribute(ATTRIBUTE.countersignature, await good(signature), await good(signature)),
      ]),
      context,
    );
    for (const report of [apart, together]) {
      expect(report.valid).toBe(true);
      const [signer] = report.signers;
      expect(signer?.countersignatures).toMatchObject([
        { valid: true, intact: true, verdict: { status: 'ACTIVE' } },
        { valid: true },
      ]);
      expect(signer?.countersignatures[0]?.certificate?.sha256).toBe(notary.certificate.sha256);
    }
  });

  // Made by BouncyCastle 1.72 with SignerInformation.addCounterSigners. It binds no certificates, as plain CMS may.
  test('that another program makes is intact with the signature that it is over, and with no other', async () => {
    const file = readFileSync(new URL('../cms/foreign/bouncycastle-countersigned.p7m', import.meta.url));
    const [signer] = (await verifyCades(file, { ...context, profile: 'cms' })).signers;
    expect(signer).toMatchObject({ intact: true, countersignatures: [{ intact: true }] });
    expect(signer?.countersignatures[0]?.certificate?.subject.text).toBe('CN=BouncyCastle notary');
    const value = readSignedData(file).signers[0]?.signature ?? file;
    const other = Buffer.from(file);
    other[file.indexOf(value) + value.length - 1] = (value.at(-1) ?? 0) ^ 1;
    expect((await verifyCades(other, { ...context, profile: 'cms' })).signers[0]).toMatchObject({
      intact: false,
      countersignatures: [],
    });
  });

  test.each<[string, (signature: Buffer) => Promise<Buffer>]>([
    ['over another signature', () => countersigned(randomBytes(256))],
    ['whose key did not make it', (signature) => countersigned(signature, { signature: randomBytes(256) })],
    ['that is no SignerInfo', async () => utf8String('nothing')],
  ])('%s is never called valid, beside one that is', async (_, forge) => {
    const report = await reportOn((signature) => countersigned(signature), forge);
    expect(report.valid).toBe(false);
    expect(errorsOf(report)).toEqual(['SignatureAlgorithmValidationFailed']);
    expect(report.signers).toMatchObject([
      {
        intact: true,
        countersignatures: [{ valid: true }, { valid: false, intact: false, verdict: undefined }],
      },
    ]);
  });

  test('of an untrusted signer is reported, and the signature stays valid', async () => {
    const late = holderKey({ keyName: 'notary', change: { notAfterMs: now - 3_600_000 } });
    const signature = await forged({
      key,
      attributes: Object.values(goodAttributes(key, content)),
      content,
      certificates: [key.certificate, late.certificate, ...key.chain],
      unsigned: async (value) => [
        attribute(ATTRIBUTE.countersignature, await countersigned(value, {}, late)),
      ],
    });
    const report = await verifyCades(signature, context);
    expect(report).toMatchObject({
      valid: true,
      signers: [{ countersignatures: [{ intact: true, valid: false, verdict: { status: 'EXPIRED' } }] }],
    });
    expect(report.signers[0]?.results.warnings.map(({ type }) => type)).toContain(
      'CertificateValidationFailed',
    );
  });

  test('that signs a content type (RFC 5652, 11.4) is not valid: it may pass for a signature of its own', async () => {
    const report = await reportOn((signature) =>
      countersigned(signature, { attributes: Object.values(goodAttributes(notary, signature)) }),
    );
    const [countersignature] = report.signers[0]?.countersignatures ?? [];
    expect(countersignature).toMatchObject({ intact: true, valid: false });
    expect(countersignature?.results.errors.map(({ type }) => type)).toEqual([
      'ForbiddenSignedAttributePresent',
    ]);
  });

  test('may be countersigned itself, so far and no further', async () => {
    const nested =
      (depth: number) =>
      (signature: Buffer): Promise<Buffer> =>
        countersigned(signature, {
          unsigned: async (value) =>
            depth ? [attribute(ATTRIBUTE.countersignature, await nested(depth - 1)(value))] : [],
        });
    const report = await reportOn(nested(2));
    const [outer] = report.signers[0]?.countersignatures ?? [];
    const [inner] = outer?.countersignatures ?? [];
    expect([report.valid, outer?.valid, inner?.valid]).toEqual([true, true, true]);
    expect(inner?.countersignatures).toEqual([]);
    expect(inner?.results.warnings.map(({ message }) => message)).toContain(
      'Of 1 countersignatures, 0 were judged.',
    );
  });
});

test('the parts inside a signature share its budget, and stay unchecked beyond it', async () => {
  const checks = { leftUnits: 500_000, known: new Map() }; // enough for the signature itself
  const signature = await signedWith(async (value) => [
    attribute(ATTRIBUTE.countersignature, await countersigned(value), await countersigned(value)),
    attribute(ATTRIBUTE.signatureTimestamp, await tokenOver(value)),
  ]);
  const [signer] = (await verifyCades(signature, { ...context, checks })).signers;
  expect(signer).toMatchObject({
    intact: true,
    timestamps: [{ intact: undefined, valid: false }],
    countersignatures: [
      { intact: undefined, valid: false },
      { intact: undefined, valid: false },
    ],
  });
});

const tokenOver = async (bytes: Buffer, early = 0) =>
  (
    await requestTimestamp('sha256', hashOf('sha256', bytes), {
      ...reaching({ now: () => now - early }),
      clockToleranceMs: 1e13,
    })
  ).token;

test('of timestamps in several attributes, a forged one is refused, and only valid ones prove a time', async () => {
  const stamped = (...early: number[]) =>
    signedWith(async (signature) =>
      Promise.all(
        early.map(async (ms) =>
          attribute(ATTRIBUTE.signatureTimestamp, await tokenOver(ms ? content : signature, ms)),
        ),
      ),
    );
  expect(await verifyCades(await stamped(0, 0), context)).toMatchObject({
    valid: true,
    signers: [{ timestamps: [{ valid: true }, { valid: true }] }],
  });
  const report = await verifyCades(await stamped(0, 3_600_000), context);
  expect(errorsOf(report)).toEqual(['InvalidSignatureTimestamp']);
  expect(report.signers[0]?.provenTimeMs).toBe(Math.floor(now / 1000) * 1000);
});
