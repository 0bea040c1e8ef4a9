import { answerTimestamp } from '../../../../functions/sandbox/authority/domain/issuing/timestamp.ts';
import { type Certificate, PublicKeyUnsupported } from '../../../../shared/pki/certificate/certificate.ts';
import {
  errorFinding,
  passedFinding,
  resultsOf,
} from '../../../../shared/pki/findings/validation-results.ts';
import { outcomeOfSignature } from '../../../../shared/pki/path/signed.ts';
import type { Judge } from '../../../../shared/signing/cms/judge.ts';
import type { Stamp } from '../../../../shared/signing/cms/stamp.ts';
import { localKey, type SigningKey } from '../../../../shared/signing/key.ts';
import { stampWith } from '../../../../shared/signing/timestamp/client.ts';
import { type HolderOptions, testPki } from '../../../certificates/pki.ts';

export const pki = testPki();

export function keyOf(options: HolderOptions = {}): SigningKey {
  const { privateKey, certificate, chain } = pki.holder(options);
  return localKey(privateKey, certificate, chain);
}

/** Trusts what leads up to the test's root, in its validity. Revocation is the business of others. */
export const judge: Judge = async (certificate, candidates, atMs) => {
  const isTrusted = leadsUp(certificate, candidates, 5);
  const isInTime = atMs >= certificate.notBeforeMs && atMs <= certificate.notAfterMs;
  const status = !isTrusted ? 'UNTRUSTED' : isInTime ? 'ACTIVE' : 'EXPIRED';
  const finding =
    status === 'ACTIVE'
      ? passedFinding('Judged.')
      : errorFinding('CertificateValidationFailed', `It is ${status}.`);
  return { status, results: resultsOf([finding]) };
};

/** The same without trust in the test's timestamp authority. */
export const judgeWithoutAuthority: Judge = async (certificate, ...rest) => {
  const verdict = await judge(certificate, ...rest);
  const isAuthority = certificate.subject.text === pki.timestampAuthority().certificate.subject.text;
  return isAuthority ? { ...verdict, status: 'UNTRUSTED' } : verdict;
};

function leadsUp(certificate: Certificate, candidates: readonly Certificate[], steps: number): boolean {
  if (outcomeOfSignature(certificate, pki.root.certificate.publicKey) === 'made') return true;
  return (
    steps > 0 &&
    candidates.some(
      (issuer) =>
        issuer.subject.der.equals(certificate.issuer.der) &&
        isIssuedBy(certificate, issuer) &&
        leadsUp(issuer, candidates, steps - 1),
    )
  );
}

function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  try {
    return outcomeOfSignature(certificate, issuer.publicKey) === 'made';
  } catch (error) {
    if (error instanceof PublicKeyUnsupported) return false; // as a mutant may have it
    throw error;
  }
}

let serialNumber = 1n;

/** The test's own timestamp authority, asked through the real client. */
export function stampAt(now: () => number): Stamp {
  const { privateKey, certificate, chain } = pki.timestampAuthority();
  const authority = {
    key: localKey(privateKey, certificate, chain),
    policy: '2.16.76.1.6.999',
    now,
    nextSerialNumber: () => serialNumber++,
  };
  return stampWith({
    authorities: [{ url: 'http://authority.test/' }],
    post: async (_url, request) => ({ status: 200, bytes: await answerTimestamp(request, authority) }),
    now,
  });
}

/** The same with an archive timestamp that is over something else: to be read, and not to hold. */
export function withArchiveStamp(stamped: Buffer): Buffer {
  const text = stamped.toString();
  const [token] = /<xades:EncapsulatedTimeStamp>.*?<\/xades:EncapsulatedTimeStamp>/s.exec(text) ?? [];
  const archive = `<x:ArchiveTimeStamp xmlns:x="http://uri.etsi.org/01903/v1.4.1#">${token}</x:ArchiveTimeStamp>`;
  return Buffer.from(text.replace('</xades:UnsignedSignatureProperties>', `${archive}$&`));
}

/** Two notes in a batch, with the kinds of things that canonical form changes. */
export const BATCH = Buffer.from(
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- before -->\n<?style sheet?><lote xmlns="http://teste.br/nf" xmlns:z="urn:z" xml:lang="pt" b="2" a='1'>\r
  <nota Id="n1" z:q="x>y">São &lt;Paulo&gt; &amp; cia &#13;<![CDATA[<raw>]]><!-- inside --></nota>\r
  <nota Id="n2"><item/>dois</nota>\r
  <vazio   Id="v"  />\r
</lote>\n<!-- after -->`,
);

export const NOTA = 'http://teste.br/nf:nota';
