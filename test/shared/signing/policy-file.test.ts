import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { generalizedTime, octetString, oid, sequence } from '../../../shared/der/write.ts';
import { digestAlgorithm } from '../../../shared/signing/digest.ts';
import type { SignatureKind } from '../../../shared/signing/format.ts';
import { readPolicy } from '../../../shared/signing/policy-file.ts';
import { signFile } from '../../../shared/signing/sign-file.ts';
import { verifySignedFile } from '../../../shared/signing/verification/verify-signed-file.ts';
import { holderKey, pki } from './cms/fixtures.ts';
import { folder, hasOpenssl, openssl } from './cms/openssl.ts';
import { plainPdf } from './pades/documents.ts';
import { missingTools, openJudges } from './pades/judges.ts';
import { signaturesIn } from './pades/outside.ts';
import { hasXmlsec, xmlsec } from './xades/xmlsec.ts';

const files = folder();
const judges = missingTools().length ? undefined : openJudges(pki.root.certificate);
const xml = hasXmlsec ? xmlsec(pki) : undefined;
afterAll(() => {
  files.remove();
  judges?.close();
  xml?.remove();
});

const OID = '2.16.76.1.7.1.11.1';
const URI = 'http://politicas.icpbrasil.gov.br/PA_PAdES_AD_RB_v1_0.der';
const ownHash = randomBytes(32);
const info = sequence(oid(OID), generalizedTime(Date.UTC(2020, 0, 1)), sequence());
const file = files.file('policy.der', sequence(digestAlgorithm('sha256'), info, octetString(ownHash)));

const key = holderKey();
const nowMs = Date.now();
files.file('pades', await plainPdf('table'));
files.file('cades', 'a payment');
files.file('xades', '<contract><party>Maria</party></contract>');

/** A file signed under the policy, or under none. */
async function signed(format: SignatureKind, policy = readPolicy(file)): Promise<Buffer> {
  const output = files.path(`signed-${format}`);
  await signFile(files.path(format), output, { format, key, signingTimeMs: nowMs, policy });
  const result = await verifySignedFile(output, { format, atMs: nowMs, signer: key.certificate });
  expect(result).toEqual({ ok: true });
  return readFileSync(output);
}

const asn1 = (der: Buffer) =>
  openssl('asn1parse', '-inform', 'DER', '-in', files.file('asn1.der', der)).stdout.toString();
const HASH = ownHash.toString('hex').toUpperCase();

describe('a file that is signed under the policy of a DER file', () => {
  test.skipIf(!hasOpenssl)('as CAdES names its OID and the hash that the file carries', async () => {
    const without = asn1(await signed('cades'));
    expect(without).toContain('id-smime-aa-ets-sigPolicyId');
    expect(without).toContain(`:${OID}`);
    expect(without).toContain(`[HEX DUMP]:${HASH}`);
    expect(without).not.toContain('id-smime-spq-ets-sqt-uri');
    const at = asn1(await signed('cades', readPolicy(file, URI)));
    expect(at).toMatch(/id-smime-spq-ets-sqt-uri\s+[\s\S]{0,80}IA5STRING\s+:http:\/\/politicas/);
  });

  test.skipIf(!hasOpenssl)("as PAdES does the same, with ICP-Brasil's /SubFilter", async () => {
    const pdf = await signed('pades');
    expect(pdf.includes('/SubFilter/PBAD.PAdES')).toBe(true);
    const [signature] = signaturesIn(pdf);
    const text = asn1(signature?.der ?? Buffer.alloc(0));
    expect(text).toContain(`:${OID}`);
    expect(text).toContain(`[HEX DUMP]:${HASH}`);
    expect(judges?.judge(pdf).complaints ?? '').toBe('');
  });

  test('as XAdES names it in its SignaturePolicyIdentifier, and satisfies xmlsec1', async () => {
    const document = await signed('xades', readPolicy(file, URI));
    const text = document.toString();
    expect(text).toContain(`<xades:Identifier Qualifier="OIDAsURN">urn:oid:${OID}</xades:Identifier>`);
    expect(text).toContain(
      `<ds:DigestValue>${ownHash.toString('base64')}</ds:DigestValue></xades:SigPolicyHash>`,
    );
    expect(text).toContain(`<xades:SPURI>${URI}</xades:SPURI>`);
    if (xml) expect(xml.judge(document)).toBe('OK');
  });
});

test('a policy is read once, whatever address is given with it', () => {
  const once = files.file('once.der', readFileSync(file));
  const first = readPolicy(once);
  files.file('once.der', 'replaced');
  expect(readPolicy(once)).toBe(first);
  expect(readPolicy(once, URI)).toEqual({ ...first, uri: URI });
});

test.each([
  ['is not there', 'nothing.der', /nothing\.der cannot be used: ENOENT/],
  ['is no policy', 'cades', /cades cannot be used: The file is no signature policy/],
])('a file that %s is refused by its name', (_, name, complaint) => {
  expect(() => readPolicy(files.path(name))).toThrow(complaint);
});
