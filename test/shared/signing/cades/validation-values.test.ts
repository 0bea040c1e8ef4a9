import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { explicit, sequence, utf8String } from '../../../../shared/der/write.ts';
import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import { verifyCades } from '../../../../shared/signing/cades/verify.ts';
import { ATTRIBUTE } from '../../../../shared/signing/cms/oids.ts';
import { attribute } from '../../../../shared/signing/cms/signer-info.ts';
import { makeOcsp } from '../../pki/revocation/make-ocsp.ts';
import { crlOf } from '../cms/crl.ts';
import { holderKey, pki } from '../cms/fixtures.ts';
import { forged, goodAttributes } from '../cms/forge.ts';
import { piecesOf } from './archive-timestamp.ts';

const content = randomBytes(300);
const key = holderKey();
const now = Date.now();
const strict = { judge: createJudge({ anchors: [pki.root.certificate] }), atMs: now };

const inCertificates = attribute(ATTRIBUTE.certificateValues, sequence(pki.intermediate.certificate.der));
const inRevocation = (...fields: Buffer[]) => attribute(ATTRIBUTE.revocationValues, sequence(...fields));
const crls = (...lists: Buffer[]) => explicit(0, sequence(...lists));

/** The basic response alone, as the attribute holds it. */
function basicResponse(revoked: boolean): Buffer {
  const response = makeOcsp({
    certificate: key.certificate,
    issuer: pki.intermediate.certificate,
    signer: pki.intermediate,
    status: revoked ? { revokedAtMs: now - 7_200_000, reason: 'keyCompromise' } : 'good',
    producedAtMs: now - 60_000,
    thisUpdateMs: now - 60_000,
    nextUpdateMs: now + 60_000,
    withCertificate: false,
  });
  // OCSPResponse, [0], ResponseBytes, OCTET STRING
  const [, bytes] = piecesOf(piecesOf(response)[0]?.content ?? response);
  const [, octets] = piecesOf(piecesOf(bytes?.content ?? response)[0]?.content ?? response);
  return octets?.content ?? response;
}

/** What the signature comes to with nothing at hand but its own certificate and these attributes. */
async function statusWith(...unsigned: Buffer[]) {
  const attributes = Object.values(goodAttributes(key, content));
  const signature = await forged({ key, attributes, content, certificates: [key.certificate], unsigned });
  const { signers } = await verifyCades(signature, strict);
  return [signers[0]?.valid, signers[0]?.verdict?.status];
}

test('the chain and the lists in the unsigned attributes are judged with, like those in the SignedData', async () => {
  const root = crlOf(pki.root);
  expect(await statusWith()).toEqual([false, 'UNTRUSTED']);
  expect(await statusWith(inCertificates)).toEqual([false, 'STALE']);
  expect(await statusWith(inCertificates, inRevocation(crls(root, crlOf(pki.intermediate))))).toEqual([
    true,
    'ACTIVE',
  ]);
  const revoking = crlOf(pki.intermediate, [key.certificate]);
  expect(await statusWith(inCertificates, inRevocation(crls(root, revoking)))).toEqual([false, 'REVOKED']);
});

test('so are OCSP responses, which stand there without what says that they succeeded', async () => {
  const ocsp = (revoked: boolean) =>
    inRevocation(crls(crlOf(pki.root)), explicit(1, sequence(basicResponse(revoked))));
  expect(await statusWith(inCertificates, ocsp(false))).toEqual([true, 'ACTIVE']);
  expect(await statusWith(inCertificates, ocsp(true))).toEqual([false, 'REVOKED']);
});

test('values that are none are passed over', async () => {
  const nonsense = attribute(ATTRIBUTE.certificateValues, utf8String('nothing'));
  expect(await statusWith(nonsense, inRevocation(explicit(0, utf8String('x'))))).toEqual([
    false,
    'UNTRUSTED',
  ]);
});
