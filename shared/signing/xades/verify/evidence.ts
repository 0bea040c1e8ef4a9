import type { XmlElement } from 'libxml2-wasm';
import { base64Of, elementsIn, type Name, named, optional } from './dom.ts';
import { qualifyingOf } from './properties.ts';

/** Certificates and revocation data that came with a signature. They prove nothing by themselves. */
export type Evidence = {
  readonly certificates: readonly Buffer[];
  readonly crls: readonly Buffer[];
  readonly ocspResponses: readonly Buffer[];
};

// Each is read and may be tried on a path; long chains have five.
const MOST_OF_A_KIND = 32;

export function evidenceOf(signature: XmlElement): Evidence {
  const at = (from: XmlElement | undefined, ...names: readonly Name[]): XmlElement[] =>
    names.reduce<XmlElement[]>(
      (parents, name) => parents.flatMap((parent) => named(elementsIn(parent), name)),
      from ? [from] : [],
    );
  const bytes = (elements: readonly XmlElement[]): Buffer[] =>
    elements.slice(0, MOST_OF_A_KIND).map((element) => base64Of(element));
  const qualifying = qualifyingOf(signature);
  const kept = at(qualifying, 'xades:UnsignedProperties', 'xades:UnsignedSignatureProperties')[0];
  const keyInfo = optional(signature, 'ds:KeyInfo');
  return {
    certificates: bytes([
      ...at(keyInfo, 'ds:X509Data', 'ds:X509Certificate'),
      ...at(kept, 'xades:CertificateValues', 'xades:EncapsulatedX509Certificate'),
    ]),
    crls: bytes([
      ...at(keyInfo, 'ds:X509Data', 'ds:X509CRL'),
      ...at(kept, 'xades:RevocationValues', 'xades:CRLValues', 'xades:EncapsulatedCRLValue'),
    ]),
    ocspResponses: bytes(
      at(kept, 'xades:RevocationValues', 'xades:OCSPValues', 'xades:EncapsulatedOCSPValue'),
    ),
  };
}
