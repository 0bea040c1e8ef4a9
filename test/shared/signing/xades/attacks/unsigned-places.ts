const XADES_141 = 'http://uri.etsi.org/01903/v1.4.1#';
const DS_11 = 'http://www.w3.org/2009/xmldsig11#';

type Put = (signature: string, forged: string) => string;

/** Elements around a text, the outer first: `ds:A ds:B`. Those of XAdES 1.4.1, XML Signature 1.1 and RFC 6283 declare it. */
const nest = (names: string, inner: string): string =>
  names.split(' ').reduceRight((text, name) => {
    const [prefix = ''] = name.split(':');
    const uri = { x141: XADES_141, ds11: DS_11, ers: 'urn:ietf:params:xml:ns:ers' }[prefix];
    return `<${name}${uri ? ` xmlns:${prefix}="${uri}"` : ''}>${text}</${name}>`;
  }, inner);

const before =
  (mark: string): Put =>
  (signature, forged) => {
    const at = signature.lastIndexOf(mark);
    return signature.slice(0, at) + forged + signature.slice(at);
  };
const inKeyInfo =
  (names: string): Put =>
  (signature, forged) =>
    before('</ds:KeyInfo>')(signature, names ? nest(names, forged) : forged);
const inObject =
  (names: string): Put =>
  (signature, forged) =>
    before('</ds:Signature>')(signature, nest(names, forged));
const inUnsigned =
  (names: string): Put =>
  (signature, forged) =>
    before('</xades:QualifyingProperties>')(
      signature,
      nest(`xades:UnsignedProperties ${names}`.trim(), forged),
    );
const inProperty = (names: string): Put => inUnsigned(`xades:UnsignedSignatureProperties ${names}`.trim());

const KEY_INFO = [
  '',
  ...['ds:KeyName', 'ds:MgmtData', 'ds:KeyValue', 'ds:KeyValue ds:RSAKeyValue', 'ds:KeyValue ds:DSAKeyValue'],
  ...['ds:KeyValue ds:RSAKeyValue ds:Modulus', 'ds:KeyValue ds11:ECKeyValue', 'ds11:DEREncodedKeyValue'],
  ...['ds:KeyValue ds11:ECKeyValue ds11:ECParameters ds11:ValidationData', 'ds11:KeyInfoReference'],
  ...[
    'ds:RetrievalMethod',
    'ds:RetrievalMethod ds:Transforms',
    'ds:RetrievalMethod ds:Transforms ds:Transform',
  ],
  ...[
    'ds:X509Data',
    'ds:X509Data ds:X509IssuerSerial',
    'ds:X509Data ds:X509SubjectName',
    'ds:X509Data ds11:X509Digest',
  ],
  ...['ds:PGPData', 'ds:PGPData ds:PGPKeyPacket', 'ds:SPKIData', 'ds:SPKIData ds:SPKISexp'],
  ...['ds:Object', 'ds:Signature', 'ds:SignatureProperties ds:SignatureProperty', 'ds:KeyInfo', 'x141:Any'],
];
const STAMP = 'xades:SignatureTimeStamp';
const REFS = 'xades:CompleteRevocationRefs';
const ERS = 'ers:EvidenceRecord';
const PROPERTIES = [
  ...['', 'xades:CounterSignature', STAMP, `${STAMP} xades:Include`, `${STAMP} xades:XMLTimeStamp`],
  ...[
    `${STAMP} ds:CanonicalizationMethod`,
    `${STAMP} xades:ReferenceInfo`,
    `${STAMP} xades:ReferenceInfo ds:DigestMethod`,
  ],
  ...['xades:SigAndRefsTimeStamp', 'xades:RefsOnlyTimeStamp xades:XMLTimeStamp', 'xades:ArchiveTimeStamp'],
  ...['x141:ArchiveTimeStamp xades:XMLTimeStamp', 'x141:SigAndRefsTimeStampV2', 'x141:RefsOnlyTimeStampV2'],
  ...[
    'xades:CompleteCertificateRefs',
    'xades:CompleteCertificateRefs xades:CertRefs xades:Cert xades:CertDigest',
  ],
  ...['x141:CompleteCertificateRefsV2 x141:CertRefs', 'xades:AttributeCertificateRefs xades:CertRefs'],
  ...[
    REFS,
    `${REFS} xades:OtherRefs`,
    `${REFS} xades:OtherRefs xades:OtherRef`,
    `${REFS} xades:CRLRefs xades:CRLRef`,
  ],
  ...[
    `${REFS} xades:OCSPRefs xades:OCSPRef xades:OCSPIdentifier`,
    'xades:AttributeRevocationRefs xades:OtherRefs xades:OtherRef',
  ],
  ...[
    'xades:CertificateValues',
    'xades:CertificateValues xades:OtherCertificate',
    'xades:CertificateValues xades:EncapsulatedPKIData',
  ],
  ...[
    'xades:RevocationValues',
    'xades:RevocationValues xades:OtherValues',
    'xades:RevocationValues xades:OtherValues xades:OtherValue',
  ],
  ...['xades:RevocationValues xades:CRLValues', 'xades:AttrAuthoritiesCertValues xades:OtherCertificate'],
  ...['xades:AttributeRevocationValues xades:OtherValues xades:OtherValue', 'x141:TimeStampValidationData'],
  ...['x141:TimeStampValidationData xades:CertificateValues xades:OtherCertificate', 'x141:RenewedDigests'],
  ...[
    'x141:SignaturePolicyStore',
    'x141:SignaturePolicyStore x141:SPDocSpecification',
    ERS,
    `${ERS} ers:SupportingInformationList`,
  ],
  ...['xades:SignerRole xades:ClaimedRoles xades:ClaimedRole', 'xades:Unknown', 'ds:Object', 'ds:KeyInfo'],
];

/** Every place of a signature that it does not sign, by the elements on the way there: puts a text into it. */
export const UNSIGNED_PLACES: readonly (readonly [string, Put])[] = [
  ...KEY_INFO.map((names) => [`ds:KeyInfo ${names}`, inKeyInfo(names)] as const),
  ...['ds:Object', 'ds:Object ds:Object', 'ds:Object ds:Manifest', 'ds:Object ds:SignatureProperties'].map(
    (names) => [names, inObject(names)] as const,
  ),
  ['ds:Object ds:SignatureProperty', inObject('ds:Object ds:SignatureProperties ds:SignatureProperty')],
  ['ds:Object with the properties', before('</ds:Object>')],
  ['xades:QualifyingProperties', before('</xades:QualifyingProperties>')],
  ['xades:UnsignedProperties', inUnsigned('')],
  ['xades:UnsignedDataObjectProperties', inUnsigned('xades:UnsignedDataObjectProperties')],
  [
    'xades:UnsignedDataObjectProperty',
    inUnsigned('xades:UnsignedDataObjectProperties xades:UnsignedDataObjectProperty'),
  ],
  ...PROPERTIES.map((names) => [`xades:UnsignedSignatureProperties ${names}`, inProperty(names)] as const),
];

/** Places where nothing but text or known parts may stand: a signature with more there cannot be read. */
export const CLOSED_PLACES: readonly (readonly [string, Put])[] = [
  ['ds:Signature', before('</ds:Signature>')],
  ['ds:Signature, after an instruction', (text, forged) => before('</ds:Signature>')(text, `<?x?>${forged}`)],
  ['ds:Signature, in front', before('<ds:SignedInfo>')],
  ['ds:SignatureValue', before('</ds:SignatureValue>')],
  ['ds:X509Certificate', before('</ds:X509Certificate>')],
];
