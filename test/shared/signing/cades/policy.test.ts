import { randomBytes } from 'node:crypto';
import { afterAll, describe, expect, test } from 'vitest';
import { generalizedTime, octetString, oid, sequence } from '../../../../shared/der/write.ts';
import { measure } from '../../../../shared/signing/cades/content.ts';
import { signDetached } from '../../../../shared/signing/cades/sign.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { policyFromDer } from '../../../../shared/signing/cms/policy.ts';
import { digestAlgorithm, hashOf } from '../../../../shared/signing/digest.ts';
import { holderKey, judge, trustPem } from '../cms/fixtures.ts';
import { folder, hasOpenssl, openssl, opensslVerifies } from '../cms/openssl.ts';

const files = folder();
afterAll(() => files.remove());

const OID = '2.16.76.1.7.1.1.2.3';
const URI = 'http://politicas.icpbrasil.gov.br/PA_AD_RB_v2_3.der';
const ownHash = randomBytes(32);
const info = sequence(oid(OID), generalizedTime(Date.UTC(2020, 0, 1)), sequence());
const file = sequence(digestAlgorithm('sha256'), info, octetString(ownHash));

const content = randomBytes(100);
const now = Date.now();
const signed = async (policy = policyFromDer(file, URI)) =>
  signDetached(await measure(content, 'sha256'), holderKey(), { signingTimeMs: now, policy });
const context = { judge, atMs: now, content };

describe('a signature policy', () => {
  test('is read from its file with the hash that stands in it, which is not the hash of the file', () => {
    expect(policyFromDer(file, URI)).toEqual({ oid: OID, digest: 'sha256', hash: ownHash, uri: URI });
    expect(policyFromDer(file).hash).not.toEqual(hashOf('sha256', file));
  });

  test.each([
    ['no file of a policy', Buffer.from('nothing of the kind')],
    ['one without a hash', sequence(digestAlgorithm('sha256'), info)],
    [
      'one with a hash of another length',
      sequence(digestAlgorithm('sha256'), info, octetString(randomBytes(20))),
    ],
    ['one with an unknown hash algorithm', sequence(sequence(oid('1.2.3')), info, octetString(ownHash))],
  ])('is refused out of %s', (_, bytes) => {
    expect(() => policyFromDer(bytes)).toThrow(expect.objectContaining({ reason: 'policy-malformed' }));
  });

  test('is named in the signature with its hash and address', async () => {
    const report = await verifyCades(await signed(), { ...context, policies: [policyFromDer(file)] });
    expect(report.valid).toBe(true);
    expect(report.signers[0]?.policy).toEqual({ oid: OID, digest: 'sha256', hash: ownHash, uri: URI });
    expect(report.signers[0]?.results.passedChecks.map(({ message }) => message)).toContain(
      `The signature names the policy ${OID} with its own hash.`,
    );
  });

  test('policy substitution: with another hash than its own is refused where it is known, and reported where it is not', async () => {
    const lying = await signed({ oid: OID, digest: 'sha256', hash: randomBytes(32) });
    const known = await verifyCades(lying, { ...context, policies: [policyFromDer(file)] });
    expect(known.signers[0]?.results.errors.map(({ type }) => type)).toEqual(['SignaturePolicyMismatch']);
    const unknown = await verifyCades(lying, context);
    expect(unknown.valid).toBe(true);
    expect(unknown.signers[0]?.results.warnings.map(({ type }) => type)).toContain(
      'UnacceptableSignaturePolicy',
    );
  });

  test.skipIf(!hasOpenssl)(
    'stands in the signature as the standard writes it, and the signature is good to openssl',
    async () => {
      const signature = files.file('policy.p7s', await signed());
      const judged = opensslVerifies(files, await signed(), {
        trust: files.file('trust', trustPem()),
        content,
      });
      expect(judged).toMatchObject({ ok: true });
      const printed = openssl('asn1parse', '-inform', 'DER', '-in', signature);
      const text = printed.stdout.toString();
      expect(text).toMatch(/id-smime-aa-ets-sigPolicyId/);
      expect(text).toMatch(/id-smime-spq-ets-sqt-uri\s+[\s\S]{0,80}IA5STRING\s+:http:\/\/politicas/);
    },
  );
});
