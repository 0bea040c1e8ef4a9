import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { enumerated, explicit, NULL, oid, sequence } from '../../../../shared/der/write.ts';
import { checkUnits } from '../../../../shared/pki/path/key-cost.ts';
import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import { measure } from '../../../../shared/signing/cades/content.ts';
import { cosignAttached, signAttached, signDetached } from '../../../../shared/signing/cades/sign.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { verifySigners } from '../../../../shared/signing/cades/verify-signers.ts';
import { readEvidence } from '../../../../shared/signing/cms/evidence.ts';
import { CONTENT } from '../../../../shared/signing/cms/oids.ts';
import { encodePem } from '../../../../shared/signing/cms/pem.ts';
import { readSignedData } from '../../../../shared/signing/cms/read.ts';
import { frame } from '../../../../shared/signing/cms/signed-data.ts';
import { type Digest, digestAlgorithm, hashOf } from '../../../../shared/signing/digest.ts';
import { crlOf } from '../cms/crl.ts';
import { holderKey, judge, keyOf, pki } from '../cms/fixtures.ts';
import { forged, goodAttributes } from '../cms/forge.ts';
import { folder, hasOpenssl, opensslSigner } from '../cms/openssl.ts';

const files = folder();
afterAll(() => files.remove());

const content = randomBytes(3000);
const rsa = holderKey();
const ec = holderKey({ key: 'p384', commonName: 'MARIA DE TESTE:11144477735' });
const now = Date.now();
const options = { signingTimeMs: now };
const context = { judge, atMs: now };

const types = (items: readonly { readonly type: string }[] | undefined) => items?.map(({ type }) => type);

describe('the verifier of CAdES', () => {
  test('finds an attached signature valid, with its signer and claimed time', async () => {
    const report = await verifyCades(await buffer(signAttached(() => content, rsa, options)), context);
    expect(report).toMatchObject({ attached: true, valid: true, results: { errors: [] } });
    expect(report.signers).toMatchObject([
      {
        digest: 'sha256',
        intact: true,
        valid: true,
        claimedTimeMs: Math.floor(now / 1000) * 1000,
        provenTimeMs: undefined,
        judgedAtMs: now,
        verdict: { status: 'ACTIVE' },
        countersignatures: [],
        archiveTimestamps: [],
      },
    ]);
    expect(report.signers[0]?.certificate?.der).toEqual(rsa.certificate.der);
    expect(types(report.signers[0]?.results.warnings)).toEqual(['UncertifiedDateReference']);
  });

  test('finds a detached signature valid over its content, and over no other', async () => {
    const signature = await signDetached(await measure(content, 'sha512'), ec, {
      ...options,
      digest: 'sha512',
    });
    expect(await verifyCades(signature, { ...context, content })).toMatchObject({
      attached: false,
      valid: true,
    });
    const other = await verifyCades(signature, { ...context, content: Buffer.from('other') });
    expect(other).toMatchObject({ valid: false, signers: [{ intact: false, verdict: undefined }] });
    expect(types(other.signers[0]?.results.errors)).toEqual(['MessageDigestMismatch']);
  });

  test('requires the content of a detached signature', async () => {
    const signature = await signDetached(await measure(content, 'sha256'), rsa, options);
    const report = await verifyCades(signature, context);
    expect(report).toMatchObject({ valid: false, signers: [{ valid: false }] });
    expect(report.results.errors[0]?.message).toMatch(/detached: give the content/);
  });

  test('content substitution: refuses an attached signature that is presented for another file', async () => {
    const signature = await buffer(signAttached(() => content, rsa, options));
    expect(await verifyCades(signature, { ...context, content })).toMatchObject({ valid: true });
    const report = await verifyCades(signature, { ...context, content: Buffer.from('other') });
    expect(report.valid).toBe(false);
    expect(types(report.results.errors)).toEqual(['MessageDigestMismatch']);
  });

  test('reports every signer of a co-signed file, each with its own digest', async () => {
    const one = await buffer(signAttached(() => content, rsa, options));
    const two = await buffer(cosignAttached(() => one, ec, { ...options, digest: 'sha384' }));
    const report = await verifyCades(two, context);
    expect(report.valid).toBe(true);
    expect(report.signers.map(({ digest }) => digest).sort()).toEqual(['sha256', 'sha384']);
  });

  test('refuses a file with one valid signer of two', async () => {
    const one = await buffer(signAttached(() => content, rsa, options));
    const late = holderKey({ keyName: 'late', change: { notAfterMs: now - 3_600_000 } });
    const two = await buffer(cosignAttached(() => one, late, { signingTimeMs: now - 7_200_000 }));
    const report = await verifyCades(two, context);
    expect(report.valid).toBe(false);
    expect(report.signers.map(({ verdict }) => verdict?.status).sort()).toEqual(['ACTIVE', 'EXPIRED']);
    expect(report.signers.every(({ intact }) => intact)).toBe(true);
  });

  test('gives all the signers of a file one budget, and checks their common certificates once', async () => {
    const one = await buffer(signAttached(() => content, holderKey(), options));
    const two = await buffer(cosignAttached(() => one, holderKey(), { ...options, digest: 'sha512' }));
    const left: (number | undefined)[] = [];
    const watching: typeof judge = async (...asked) => {
      const verdict = await judge(...asked);
      left.push(asked[3].checks?.leftUnits);
      return verdict;
    };
    expect((await verifyCades(two, { judge: watching, atMs: now })).valid).toBe(true);
    const [first = 0, second = 0] = left;
    const rsaUnits = checkUnits(pki.root.certificate.publicKey);
    // Their own signatures, and a certificate each; the authority above both is known by then.
    expect(first - second).toBe(2 * rsaUnits);
  });

  test('denial of service: refuses a file of more than a hundred signers', async () => {
    const { split } = readSignedData(
      await signDetached(await measure(content, 'sha256'), holderKey(), options),
    );
    const { signerInfos, ...parts } = split;
    const [info = Buffer.alloc(0)] = signerInfos;
    const many = frame({ ...parts, signerInfos: Array.from({ length: 101 }, () => info) }).head;
    await expect(verifyCades(many, { judge, atMs: now })).rejects.toThrow('more than the 100 elements');
  });

  test('judges by the CRLs in the signature, and is undetermined without them', async () => {
    const strict = { judge: createJudge({ anchors: [pki.root.certificate] }), atMs: now };
    const statusWith = async (crls: Buffer[]) => {
      const signature = await buffer(signAttached(() => content, rsa, { ...options, crls }));
      const { valid, signers } = await verifyCades(signature, strict);
      return [valid, signers[0]?.verdict?.status];
    };
    const root = crlOf(pki.root);
    expect(await statusWith([root, crlOf(pki.intermediate)])).toEqual([true, 'ACTIVE']);
    expect(await statusWith([root, crlOf(pki.intermediate, [rsa.certificate])])).toEqual([false, 'REVOKED']);
    expect(await statusWith([])).toEqual([false, 'STALE']);
  });

  test('gives the judge the OCSP responses in the signature', async () => {
    const response = sequence(enumerated(0));
    const other = explicit(1, oid('1.3.6.1.5.5.7.16.2'), response);
    expect(readEvidence([crlOf(pki.root), other, explicit(2, NULL)])).toEqual({
      crls: [expect.any(Buffer)],
      ocspResponses: [response],
    });
  });

  test('reads PEM text, and bytes in pieces of any size', async () => {
    const der = await buffer(signAttached(() => content, rsa, options));
    const pem = await buffer(encodePem(der));
    for (const bytes of [der, pem])
      for (const size of [1, 3, 64, 1000])
        expect(await verifyCades(inPieces(bytes, size), context)).toMatchObject({ valid: true });
  });

  test('appended content: refuses PEM text with anything behind it, or another END line', async () => {
    const pem = (await buffer(encodePem(signAttached(() => content, rsa, options)))).toString();
    const end = '-----END PKCS7-----';
    for (const [text, reason] of [
      [`${pem}${pem}`, 'does not end with'],
      [`${pem}Pay Mallory.`, 'does not end with'],
      [pem.replace(end, '-----END CMS-----'), 'does not end with'],
      [pem.replace(end, `${end}-`), 'does not end with'],
      [pem.replace(`\n${end}`, `==AAAA\n${end}`), 'something else than Base64'],
      [pem.replace(`\n${end}`, `==\nAAAA\n${end}`), 'something else than Base64'],
      [pem.slice(0, pem.indexOf(end) + 8), 'no END line'],
    ] as const)
      for (const size of [1, 64, 100_000])
        await expect(verifyCades(inPieces(Buffer.from(text), size), context)).rejects.toThrow(reason);
    for (const text of [`${pem}\r\n \n`, pem.trimEnd()])
      expect(await verifyCades(Buffer.from(text), context)).toMatchObject({ valid: true });
  });

  test('a digest that the list of algorithms does not name is not checked, and not broken', async () => {
    const attributes = Object.values(goodAttributes(rsa, content, 'sha384'));
    const good = await forged({ key: rsa, attributes, content, digest: 'sha384' });
    const at = good.indexOf(digestAlgorithm('sha384'));
    const unlisted = Buffer.from(good);
    digestAlgorithm('sha256').copy(unlisted, at);
    const [signer] = (await verifyCades(unlisted, context)).signers;
    expect(signer).toMatchObject({ valid: false, intact: undefined });
    expect(types(signer?.results.errors)).toEqual(['AlgorithmNotAllowed']);
    expect(await verifyCades(good, context)).toMatchObject({ valid: true });
  });

  test('verifies the CMS of a PDF signature, which is in memory, by the same rules', async () => {
    const signature = await signDetached(await measure(content, 'sha256'), rsa, options);
    const contentHash = (digest: Digest) => hashOf(digest, content);
    const reports = await verifySigners(readSignedData(signature), { ...context, contentHash });
    expect(reports).toMatchObject([{ valid: true }]);
  });

  test('refuses a file of certificates alone', async () => {
    const certificates = [rsa.certificate.der];
    const parts = {
      version: 1,
      contentType: CONTENT.data,
      digestAlgorithms: [],
      certificates,
      crls: [],
      signerInfos: [],
    };
    const report = await verifyCades(frame(parts).head, { ...context, content });
    expect(report).toMatchObject({ valid: false, signers: [] });
    expect(report.results.errors[0]?.message).toMatch(/no signature/);
  });

  test('refuses a signer who claims a time when the certificate was not valid', async () => {
    const early = { signingTimeMs: rsa.certificate.notBeforeMs - 1000 };
    const report = await verifyCades(await buffer(signAttached(() => content, rsa, early)), context);
    expect(types(report.signers[0]?.results.errors)).toEqual(['SigningTimeOutOfCertificateValidity']);
  });

  test('refuses a certificate that is not for signatures', async () => {
    const authority = keyOf(pki.intermediate);
    const report = await verifyCades(await buffer(signAttached(() => content, authority, options)), context);
    expect(types(report.signers[0]?.results.errors)).toContain('InvalidKeyUsage');
  });

  test.each([
    ['timestamps', pki.timestampAuthority()],
    ['OCSP responses', pki.ocspResponder()],
  ])('refuses a certificate that is for %s alone', async (_, machine) => {
    const signature = await buffer(signAttached(() => content, keyOf(machine), options));
    const report = await verifyCades(signature, context);
    expect(report).toMatchObject({
      valid: false,
      signers: [{ intact: true, verdict: { status: 'ACTIVE' } }],
    });
    expect(types(report.signers[0]?.results.errors)).toEqual(['InvalidKeyUsage']);
  });
});

describe.skipIf(!hasOpenssl)('the verifier of CAdES, on what openssl signs', () => {
  const signed = opensslSigner(files, pki.holder(), content);
  const signedWithEc = opensslSigner(files, pki.holder({ key: 'p384' }), content);

  test.each([
    ['plain', []],
    ['in BER, with content in pieces', ['-stream']],
    ['with SHA-512', ['-md', 'sha512']],
    ['with RSA-PSS', ['-keyopt', 'rsa_padding_mode:pss']],
    ['named by key identifier', ['-keyid']],
  ])('agrees that it is valid: %s', async (_, args) => {
    const report = await verifyCades(signed('-cades', ...args), context);
    expect(report.signers[0]?.results.errors).toEqual([]);
    expect(report).toMatchObject({ valid: true, attached: true });
  });

  test('signer substitution: reports a signature that binds no certificate, and refuses it under the CAdES profile', async () => {
    const signature = signed();
    const report = await verifyCades(signature, context);
    expect(report).toMatchObject({
      valid: false,
      signers: [{ intact: true, verdict: { status: 'ACTIVE' } }],
    });
    expect(types(report.signers[0]?.results.errors)).toEqual(['SignatureVulnerableToSignerSubstitution']);
    expect(await verifyCades(signature, { ...context, profile: 'cms' })).toMatchObject({ valid: true });
  });

  test.each([
    ['RSA', () => signed('-noattr')],
    ['ECDSA', () => signedWithEc('-noattr')],
  ])('checks a signature without signed attributes over the content itself: %s', async (_, make) => {
    const signature = make();
    const report = await verifyCades(signature, context);
    expect(report).toMatchObject({ valid: false, signers: [{ intact: true }] });
    expect(types(report.signers[0]?.results.errors)).toEqual(['RequiredSignedAttributeMissing']);
    const asCms = await verifyCades(signature, { ...context, profile: 'cms' });
    expect(asCms).toMatchObject({ valid: true });
    expect(types(asCms.signers[0]?.results.warnings)).toContain('SignatureVulnerableToSignerSubstitution');
    const changed = Buffer.from(signature);
    const at = signature.indexOf(content) + 7;
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(await verifyCades(changed, { ...context, profile: 'cms' })).toMatchObject({
      valid: false,
      signers: [{ intact: false }],
    });
  });

  test('leaves a signature without signed attributes unchecked where a hash is not enough', async () => {
    const signature = signed('-noattr', '-keyopt', 'rsa_padding_mode:pss');
    const report = await verifyCades(signature, { ...context, profile: 'cms' });
    expect(report).toMatchObject({ valid: false, signers: [{ intact: undefined }] });
    expect(report.signers[0]?.results.errors[0]?.message).toMatch(/RSA-PSS .* not supported here/);
  });
});

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
