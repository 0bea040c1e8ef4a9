import type { XmlElement } from 'libxml2-wasm';
import { type Finding, warningFinding } from '../../../pki/findings/validation-results.ts';
import { writtenName } from '../xml/path.ts';
import { elementsIn, isNamed, type Name, nameOf, optionalChild } from './dom.ts';
import { qualifyingOf } from './properties.ts';

/** The unsigned properties of a signature, in order. Anyone may have added them after it was made. */
export function unsignedPropertiesOf(signature: XmlElement): readonly XmlElement[] {
  const qualifying = qualifyingOf(signature);
  const unsigned = qualifying && optionalChild(qualifying, 'xades:UnsignedProperties');
  const ofSignature = unsigned && optionalChild(unsigned, 'xades:UnsignedSignatureProperties');
  return ofSignature ? elementsIn(ofSignature) : [];
}

// Properties that are judged elsewhere, or that are data which no verdict rests on.
const KNOWN: readonly Name[] = [
  'xades:SignatureTimeStamp',
  'xades:CounterSignature',
  'xades:ArchiveTimeStamp',
  'xades141:ArchiveTimeStamp',
  'xades:CertificateValues',
  'xades:RevocationValues',
  'xades141:TimeStampValidationData',
  'xades:AttrAuthoritiesCertValues',
  'xades:AttributeRevocationValues',
  'xades:CompleteCertificateRefs',
  'xades:CompleteRevocationRefs',
  'xades:AttributeCertificateRefs',
  'xades:AttributeRevocationRefs',
  'xades141:CompleteCertificateRefsV2',
  'xades141:AttributeCertificateRefsV2',
];

/** @example notJudged('xades:ArchiveTimeStamp', 'it names what it covers by itself') */
export const notJudgedFinding = (name: string, why = 'this kind is not supported'): Finding =>
  warningFinding(
    'UnknownUnsignedAttributesPresent',
    `The signature carries ${name}, which was not judged: ${why}.`,
  );

/**
 * Reports properties that are not judged: timestamps over references and evidence records. `foreignFindings` reports those
 * of other namespaces.
 */
export const unknownPropertyFindings = (properties: readonly XmlElement[]): Finding[] =>
  properties
    .filter((property) => nameOf(property) && !KNOWN.some((name) => isNamed(property, name)))
    .map((property) => notJudgedFinding(writtenName(property)));
