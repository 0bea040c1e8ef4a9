import type { XmlElement } from 'libxml2-wasm';
import { nameOf } from './dom.ts';

// The elements that each element of a signature's unsigned parts may hold, by the schemas of XML Signature 1.1 and
// EN 319 132-1. A name without a prefix is in the namespace of its parent. An element that is not a key holds text alone.
const CHILDREN: Readonly<Record<string, string>> = {
  'ds:KeyInfo':
    'KeyName KeyValue RetrievalMethod X509Data PGPData SPKIData MgmtData ds11:DEREncodedKeyValue ds11:KeyInfoReference',
  'ds:KeyValue': 'DSAKeyValue RSAKeyValue ds11:ECKeyValue more:ECDSAKeyValue',
  'ds:DSAKeyValue': 'P Q G Y J Seed PgenCounter',
  'ds:RSAKeyValue': 'Modulus Exponent',
  'ds11:ECKeyValue': 'ECParameters NamedCurve PublicKey',
  'ds11:ECParameters': 'FieldID Curve Base Order CoFactor ValidationData',
  'ds11:FieldID': 'Prime TnB PnB GnB',
  'ds11:Prime': 'P',
  'ds11:TnB': 'M K',
  'ds11:PnB': 'M K1 K2 K3',
  'ds11:GnB': 'M',
  'ds11:Curve': 'A B',
  'ds11:ValidationData': 'Seed',
  'more:ECDSAKeyValue': 'DomainParameters PublicKey', // RFC 4050
  'more:DomainParameters': 'NamedCurve',
  'more:PublicKey': 'X Y',
  'ds:RetrievalMethod': 'Transforms',
  'ds:Transforms': 'Transform',
  'ds:Transform': 'XPath ec:InclusiveNamespaces filter:XPath',
  'ds:X509Data': 'X509IssuerSerial X509SKI X509SubjectName X509Certificate X509CRL ds11:X509Digest',
  'ds:X509IssuerSerial': 'X509IssuerName X509SerialNumber',
  'ds:PGPData': 'PGPKeyID PGPKeyPacket',
  'ds:SPKIData': 'SPKISexp',
  'ds:CanonicalizationMethod': 'ec:InclusiveNamespaces',
  'ds:DigestMethod': '',
  'ds:Object': 'xades:QualifyingProperties ds:SignatureProperties',

  'xades:QualifyingProperties': 'SignedProperties UnsignedProperties',
  'xades:UnsignedProperties': 'UnsignedSignatureProperties UnsignedDataObjectProperties',
  'xades:UnsignedSignatureProperties':
    'CounterSignature SignatureTimeStamp SigAndRefsTimeStamp RefsOnlyTimeStamp ArchiveTimeStamp CompleteCertificateRefs CompleteRevocationRefs AttributeCertificateRefs AttributeRevocationRefs CertificateValues RevocationValues AttrAuthoritiesCertValues AttributeRevocationValues xades141:ArchiveTimeStamp xades141:ArchiveTimeStampV2 xades141:TimeStampValidationData xades141:SigAndRefsTimeStampV2 xades141:RefsOnlyTimeStampV2 xades141:CompleteCertificateRefsV2 xades141:AttributeCertificateRefsV2 xades141:RenewedDigests xades141:SignaturePolicyStore xen:SealingEvidenceRecords',
  'xades:CounterSignature': 'ds:Signature',
  ...each(
    'xades:SignatureTimeStamp xades:SigAndRefsTimeStamp xades:RefsOnlyTimeStamp xades:ArchiveTimeStamp xades141:ArchiveTimeStamp xades141:ArchiveTimeStampV2 xades141:SigAndRefsTimeStampV2 xades141:RefsOnlyTimeStampV2',
    'xades:Include xades:ReferenceInfo ds:CanonicalizationMethod xades:EncapsulatedTimeStamp xades:XMLTimeStamp',
  ),
  ...each('xades:ReferenceInfo xades:CertDigest xades:DigestAlgAndValue', 'ds:DigestMethod ds:DigestValue'),
  'xades:XMLTimeStamp': '',
  ...each('xades:CompleteCertificateRefs xades:AttributeCertificateRefs', 'xades:CertRefs'),
  ...each('xades141:CompleteCertificateRefsV2 xades141:AttributeCertificateRefsV2', 'xades141:CertRefs'),
  ...each('xades:CertRefs xades141:CertRefs', 'xades:Cert'),
  'xades:Cert': 'CertDigest IssuerSerial IssuerSerialV2',
  'xades:IssuerSerial': 'ds:X509IssuerName ds:X509SerialNumber',
  ...each(
    'xades:CompleteRevocationRefs xades:AttributeRevocationRefs',
    'xades:CRLRefs xades:OCSPRefs xades:OtherRefs',
  ),
  'xades:CRLRefs': 'CRLRef',
  'xades:CRLRef': 'DigestAlgAndValue CRLIdentifier',
  'xades:CRLIdentifier': 'Issuer IssueTime Number',
  'xades:OCSPRefs': 'OCSPRef',
  'xades:OCSPRef': 'OCSPIdentifier DigestAlgAndValue',
  'xades:OCSPIdentifier': 'ResponderID ProducedAt',
  'xades:ResponderID': 'ByName ByKey',
  'xades:OtherRefs': 'OtherRef',
  'xades:OtherRef': '',
  ...each(
    'xades:CertificateValues xades:AttrAuthoritiesCertValues',
    'xades:EncapsulatedX509Certificate xades:OtherCertificate',
  ),
  'xades:OtherCertificate': '',
  ...each(
    'xades:RevocationValues xades:AttributeRevocationValues',
    'xades:CRLValues xades:OCSPValues xades:OtherValues',
  ),
  'xades:CRLValues': 'EncapsulatedCRLValue',
  'xades:OCSPValues': 'EncapsulatedOCSPValue',
  'xades:OtherValues': 'OtherValue',
  'xades:OtherValue': '',
  'xades141:TimeStampValidationData': 'xades:CertificateValues xades:RevocationValues',
  'xades141:RenewedDigests': 'ds:DigestMethod RecomputedDigestValue',
  'xades141:SignaturePolicyStore': 'SPDocSpecification SignaturePolicyDocument SigPolDocLocalURI',
  'xades141:SPDocSpecification': 'xades:Identifier xades:Description xades:DocumentationReferences',
  'xades:DocumentationReferences': 'DocumentationReference',
  'xades:UnsignedDataObjectProperties': 'UnsignedDataObjectProperty',
  'xades:UnsignedDataObjectProperty': '',

  // EN 319 132-3 and RFC 6283: evidence records, which are reported and not judged.
  'xen:SealingEvidenceRecords': 'ASN1EvidenceRecord ers:EvidenceRecord',
  'ers:EvidenceRecord': 'EncryptionInformation SupportingInformationList ArchiveTimeStampSequence',
  'ers:EncryptionInformation': 'EncryptionInformationType EncryptionInformationValue',
  'ers:EncryptionInformationValue': '',
  'ers:SupportingInformationList': 'SupportingInformation',
  'ers:SupportingInformation': '',
  'ers:ArchiveTimeStampSequence': 'ArchiveTimeStampChain',
  'ers:ArchiveTimeStampChain': 'DigestMethod CanonicalizationMethod ArchiveTimeStamp',
  'ers:ArchiveTimeStamp': 'HashTree TimeStamp Attributes',
  'ers:HashTree': 'Sequence',
  'ers:Sequence': 'DigestValue',
  'ers:TimeStamp': 'TimeStampToken CryptographicInformationList',
  'ers:TimeStampToken': '',
  'ers:CryptographicInformationList': 'CryptographicInformation',
  'ers:CryptographicInformation': '',
  'ers:Attributes': 'Attribute',
  'ers:Attribute': '',
};

// Of these the schema says xades:AnyType or another mixed type: text is in place, and no element is known.
// A ds:SignatureProperties holds properties alone, each of which the signature must sign.
const SIGNED_ALONE = 'ds:SignatureProperties';
const TEXT = new Set(Object.keys(CHILDREN).filter((name) => CHILDREN[name] === ''));

function each(parents: string, children: string): Record<string, string> {
  return Object.fromEntries(parents.split(' ').map((parent) => [parent, children]));
}

const ALLOWED = new Map(
  Object.entries(CHILDREN).map(([parent, children]) => {
    const [prefix] = parent.split(':');
    const names = children.split(' ').filter(Boolean);
    return [parent, new Set(names.map((name) => (name.includes(':') ? name : `${prefix}:${name}`)))] as const;
  }),
);

/** Whether the schemas name this element as a child of its parent. A place for `any` element is none: nothing signs it. */
export function isInPlace(parent: XmlElement, child: XmlElement): boolean {
  const [outer, inner] = [nameOf(parent), nameOf(child)];
  return outer !== undefined && inner !== undefined && ALLOWED.get(outer)?.has(inner) === true;
}

/** Whether an element of a signature holds text: it has no place for elements of its own. */
export function mayHoldText(element: XmlElement): boolean {
  const name = nameOf(element);
  return name !== undefined && (TEXT.has(name) || !ALLOWED.has(name)) && name !== SIGNED_ALONE;
}
