import { CERTIFICATE_EXAMPLE, CHECK_EXAMPLE } from '../../shared/pki/model/examples.ts';

// Examples of the contract document: the holder of the sandbox certificate, at each operation.

export const CONTEXT_ID = '201856ce-273c-4058-a872-8937bd547d36';
export const SESSION_ID = '5f1d9c3a-7b2e-4a86-b0d4-1c8e6f3a2d97';
export const DOCUMENT_ID = '8d7f0a2c-5f0e-4c3b-9a61-2f1d6b7c8e90';
export const TOKEN = 'hKx3Vd0rYcQm7pZt9Lw2Nf5Bs8Gj1Ra4';
/** The beginning of a DER certificate: a whole one is some kilobytes long. */
export const CERTIFICATE = 'MIIDazCCAlOgAwIBAgIUTyqcAQ==';
export const SIGNATURE = 'kY1vQm7pZt9Lw2Nf5Bs8Gg==';
export const TO_SIGN = 'dGVzdA==';
export const HASH = 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=';

export const DIGEST = {
  algorithm: 'SHA256',
  value: HASH,
  hexValue: '9F86D081884C7D659A2FEAA0C55AD015A3BF4F1B2B0B822CD15D6C15B0F00A08',
};

export const PARAMETERS = {
  signatureAlgorithm: {
    algorithm: 'SHA256WithRSA',
    oid: '1.2.840.113549.1.1.11',
    digestAlgorithm: 'SHA256',
    digestAlgorithmOid: '2.16.840.1.101.3.4.2.1',
  },
  data: TO_SIGN,
  hash: HASH,
  digestInfo: 'MDEwDQYJYIZIAWUDBAIBBQAEIJ+G0IGITH1lmi/qoMVa0BWjv08bKwuCLNFdbBWw8AoI',
};

export const VALID = {
  passedChecks: [CHECK_EXAMPLE],
  errors: [],
  warnings: [],
};

export const JUDGED_CERTIFICATE = { certificate: CERTIFICATE_EXAMPLE, validationResults: VALID };

export const BLOB_TOKEN = 'Zk3Vd0rYcQm7pZt9Lw2Nf5Bs8Gj1Ra4hKx6Tq0Wm8Xc';

export const FILE = {
  name: 'contract.pdf',
  mimeType: 'application/pdf',
  contentType: 'application/pdf',
  length: 48_213,
  blobToken: BLOB_TOKEN,
  content: null,
  url: null,
  location: null,
};

export const DOCUMENT_KEY = { key: 'ABCDEFGHJKLMNPQR', formattedKey: 'ABCD-EFGH-JKLM-NPQR' };

const STORED_FILE = {
  ...FILE,
  blobToken: null,
  url: 'http://localhost:3000/stores/objects/contract.pdf?signature=6f1e3a4c',
  location: 'http://localhost:3000/stores/objects/contract.pdf?signature=6f1e3a4c',
};

export const SESSION_DOCUMENT = {
  id: DOCUMENT_ID,
  documentId: DOCUMENT_ID,
  ...DOCUMENT_KEY,
  name: 'contract.pdf',
  contentType: 'application/pdf',
  size: 48_213,
  signatureFormat: 'PAdES',
  signatureType: 'Pdf',
  status: 'PendingSignature',
  state: 'Pending',
  dateSigned: null,
  originalFile: STORED_FILE,
  markedFile: null,
  signedFile: null,
  availableUntil: null,
  metadata: {},
};

export const DOCUMENT = {
  id: DOCUMENT_ID,
  ...DOCUMENT_KEY,
  signatureType: 'Pdf',
  originalFile: STORED_FILE,
  markedFile: null,
  signedFile: STORED_FILE,
  availableUntil: '2026-04-01T12:00:00.000Z',
  signers: [
    {
      certificate: {
        thumbprint: CERTIFICATE_EXAMPLE.thumbprint,
        thumbprintSHA256: CERTIFICATE_EXAMPLE.thumbprintSHA256,
        subjectCommonName: CERTIFICATE_EXAMPLE.subjectCommonName,
        subjectDisplayName: CERTIFICATE_EXAMPLE.subjectDisplayName,
        subjectIdentifier: CERTIFICATE_EXAMPLE.subjectIdentifier,
        emailAddress: CERTIFICATE_EXAMPLE.emailAddress,
        organization: CERTIFICATE_EXAMPLE.organization,
        organizationIdentifier: CERTIFICATE_EXAMPLE.organizationIdentifier,
      },
      date: '2026-03-02T12:00:00.000Z',
    },
  ],
  metadata: {},
};

export const METADATA = { Contract: ['2026-117'] };

export const SIGNER = {
  messageDigest: DIGEST,
  signature: {
    algorithmIdentifier: {
      algorithm: 'SHA256WithRSA',
      oid: '1.2.840.113549.1.1.11',
      digestAlgorithm: 'SHA256',
      digestAlgorithmOid: '2.16.840.1.101.3.4.2.1',
    },
    value: SIGNATURE,
    hexValue: '918d6f426ee9',
  },
  signaturePolicy: null,
  signingTime: '2026-03-02T12:00:00.000Z',
  certifiedDateReference: null,
  timestamps: [],
  isDocumentTimestamp: false,
  signatureFieldName: 'Signature1',
  validationResults: null,
  hasLtv: null,
  xmlSignedEntityType: null,
  xmlSignedElement: null,
  attributeCertificates: [],
  certificate: CERTIFICATE_EXAMPLE,
  date: '2026-03-02T12:00:00.000Z',
};

/** Policies that need nothing of the operator. */
export const POLICIES = {
  pades: '78d20b33-014d-440e-ad07-929f05d00cdf',
  cades: 'a4522485-c9e5-46c3-950b-0d6e951e17d1',
  xades: '1beba282-d1b6-4458-8e46-bd8ad6800b54',
};
