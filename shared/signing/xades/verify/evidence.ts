import type { XmlElement } from 'libxml2-wasm';
import type { Finding } from '../../../pki/findings/validation-results.ts';
import { writtenName } from '../xml/path.ts';
import { base64Of, elementsIn, filterByName, type Name, optionalChild, orMalformed } from './dom.ts';
import { qualifyingOf } from './properties.ts';
import { notJudgedFinding } from './unsigned-properties.ts';

/** Certificates and revocation data that came with a signature. They prove nothing by themselves. */
export type Evidence = {
  readonly certificates: readonly Buffer[];
  readonly crls: readonly Buffer[];
  readonly ocspResponses: readonly Buffer[];
};

// Each item is parsed and may be tried on a certification path. Long chains have five.
const MAX_OF_A_KIND = 32;

/** The evidence, and a note on what of it cannot be read. Nothing signs the properties: damage there breaks nothing. */
export function evidenceOf(signature: XmlElement): {
  readonly evidence: Evidence;
  readonly findings: readonly Finding[];
} {
  const at = (from: XmlElement | undefined, ...names: readonly Name[]): XmlElement[] =>
    names.reduce<XmlElement[]>(
      (parents, name) => parents.flatMap((parent) => filterByName(elementsIn(parent), name)),
      from ? [from] : [],
    );
  const unread: XmlElement[] = [];
  const bytes = (elements: readonly XmlElement[]): Buffer[] =>
    elements.slice(0, MAX_OF_A_KIND).flatMap((element) => {
      const read = orMalformed(() => base64Of(element));
      if (Buffer.isBuffer(read)) return [read];
      unread.push(element);
      return [];
    });
  const qualifying = qualifyingOf(signature);
  const kept = at(qualifying, 'xades:UnsignedProperties', 'xades:UnsignedSignatureProperties')[0];
  // Validation data of the signature itself, and of its timestamps (EN 319 132-1, 5.5.1).
  const holders = [...(kept ? [kept] : []), ...at(kept, 'xades141:TimeStampValidationData')];
  const inHolders = (...names: readonly Name[]): XmlElement[] =>
    holders.flatMap((holder) => at(holder, ...names));
  const keyInfo = optionalChild(signature, 'ds:KeyInfo');
  const ofKey = at(keyInfo, 'ds:X509Data', 'ds:X509Certificate')
    .slice(0, MAX_OF_A_KIND)
    .map((element) => base64Of(element));
  const evidence = {
    certificates: [
      ...ofKey,
      ...bytes(inHolders('xades:CertificateValues', 'xades:EncapsulatedX509Certificate')),
    ].slice(0, MAX_OF_A_KIND),
    crls: bytes([
      ...at(keyInfo, 'ds:X509Data', 'ds:X509CRL'),
      ...inHolders('xades:RevocationValues', 'xades:CRLValues', 'xades:EncapsulatedCRLValue'),
    ]),
    ocspResponses: bytes(
      inHolders('xades:RevocationValues', 'xades:OCSPValues', 'xades:EncapsulatedOCSPValue'),
    ),
  };
  return {
    evidence,
    findings: unread.map((element) => notJudgedFinding(writtenName(element), 'it cannot be read')),
  };
}
