import type { XmlElement } from 'libxml2-wasm';
import { base64Of, elementsIn, filterByName, type Name, optionalChild } from './dom.ts';
import { qualifyingOf } from './properties.ts';

/** Certificates and revocation data that came with a signature. They prove nothing by themselves. */
export type Evidence = {
  readonly certificates: readonly Buffer[];
  readonly crls: readonly Buffer[];
  readonly ocspResponses: readonly Buffer[];
};

// Each item is parsed and may be tried on a certification path. Long chains have five.
const MAX_OF_A_KIND = 32;

export function evidenceOf(signature: XmlElement): Evidence {
  const at = (from: XmlElement | undefined, ...names: readonly Name[]): XmlElement[] =>
    names.reduce<XmlElement[]>(
      (parents, name) => parents.flatMap((parent) => filterByName(elementsIn(parent), name)),
      from ? [from] : [],
    );
  const bytes = (elements: readonly XmlElement[]): Buffer[] =>
    elements.slice(0, MAX_OF_A_KIND).map((element) => base64Of(element));
  const qualifying = qualifyingOf(signature);
  const kept = at(qualifying, 'xades:UnsignedProperties', 'xades:UnsignedSignatureProperties')[0];
  // Validation data of the signature itself, and of its timestamps (EN 319 132-1, 5.5.1).
  const holders = [...(kept ? [kept] : []), ...at(kept, 'xades141:TimeStampValidationData')];
  const inHolders = (...names: readonly Name[]): XmlElement[] =>
    holders.flatMap((holder) => at(holder, ...names));
  const keyInfo = optionalChild(signature, 'ds:KeyInfo');
  return {
    certificates: bytes([
      ...at(keyInfo, 'ds:X509Data', 'ds:X509Certificate'),
      ...inHolders('xades:CertificateValues', 'xades:EncapsulatedX509Certificate'),
    ]),
    crls: bytes([
      ...at(keyInfo, 'ds:X509Data', 'ds:X509CRL'),
      ...inHolders('xades:RevocationValues', 'xades:CRLValues', 'xades:EncapsulatedCRLValue'),
    ]),
    ocspResponses: bytes(
      inHolders('xades:RevocationValues', 'xades:OCSPValues', 'xades:EncapsulatedOCSPValue'),
    ),
  };
}
