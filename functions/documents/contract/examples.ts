import { CHECK_EXAMPLE } from '../../../shared/pki/model/examples.ts';

// Examples of the contract document: one document of the sandbox, as each operation shows it.

export const ORGANIZATION_ID = '11111111-1111-4111-8111-111111111111';
export const FOLDER_ID = '44444444-4444-4444-8444-444444444444';
export const UPLOAD_ID = 'c0a8012e-7f4b-4d2a-8b8e-5d3c1f2a9b70';
export const DOCUMENT_ID = '8d7f0a2c-5f0e-4c3b-9a61-2f1d6b7c8e90';
export const ACTION_ID = '0b6c1f7e-2d7a-4f55-9d0b-6f1e3a4c5d28';
export const FLOW_ID = '6a1c8e2f-4b7d-4e93-a5f0-8c3d2b1e9f64';
export const ATTACHMENT_ID = 'e3a1f5b4-90c2-4b7d-8f16-7a2d4c9e0b53';
export const WEBHOOK_ID = '5f1d9c3a-7b2e-4a86-b0d4-1c8e6f3a2d97';
export const DELIVERY_ID = '2a9e4c61-8d3f-4b70-95c7-3e1f0d8b6a42';
export const MEMBER_ID = '6b1f0c9e-4d27-4a53-8e90-2c7d5f3a1b86';
export const TICKET = 'hKx3Vd0rYcQm7pZt9Lw2Nf5Bs8Gj1Ra4';
export const KEY = '7FQ2M9XKD4TB';
export const CODE = '7FQ2M9XKD4TB3WR8HJ5C';
const CREATED = '2026-03-02T12:00:00.000Z';
export const UPDATED = '2026-03-02T12:05:00.000Z';
export const DIGEST = 'n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=';
/** The beginning of a DER certificate or of a signature: whole ones are some kilobytes long. */
export const BASE64 = 'MIIDazCCAlOgAwIBAgIUTyqcAQ==';

export const PARTICIPANT = {
  name: 'Ana Souza',
  identifier: '52998224725',
  emailAddress: 'ana@sandbox.example',
};

export const PERSON = {
  id: '9c5b94b1-35ad-49bb-b118-8e8fc24abf80',
  name: 'Ana Souza',
  identifier: '52998224725',
  email: 'ana@sandbox.example',
  emailAddress: 'ana@sandbox.example',
  phone: null,
};

export const MEMBER = {
  id: MEMBER_ID,
  name: 'Ana Souza',
  email: 'ana@sandbox.example',
  identifier: '52998224725',
  role: 'Member',
  invitedDate: CREATED,
};

export const KEY_ID = 'b7e0d5a1-3c64-4f28-9b1f-6d2a8c4e7f03';

export const APPLICATION = {
  id: 'erp-5c1f9a3e7b20',
  name: 'ERP',
  role: 'Member',
  disabled: false,
  keys: [{ id: KEY_ID, issuedDate: CREATED, revokedDate: null }],
};

export const AGENT = { id: 'da2a2586-50f6-847c-a92d-89e535b63721', name: 'sandbox', type: 'Application' };
export const OWNER = { id: '17c16659-f2a7-8dad-a43b-4746a4571815', name: 'Sandbox Owner' };
export const MARK = { page: 1, x: 72, y: 72, width: 180, height: 60 };
export const UPPER_LEFT_MARK = {
  ...{ type: 'SignatureVisualRepresentation', uploadId: null },
  ...{ pageNumber: 1, topLeftX: 72, topLeftY: 700, width: 180, height: 60 },
};
export const SIGNER_REQUEST = { type: 'Signer', step: 1, user: PARTICIPANT };

export const RULE_USER = {
  ...PERSON,
  signatureDate: UPDATED,
  isElectronic: false,
  hasRefused: false,
  refusalDate: null,
  refusalReason: null,
};

export const XADES_OPTIONS = {
  signatureType: 'XmlElement',
  elementToSignIdentifierType: 'XPath',
  elementToSignIdentifier: '//nfe:infNFe',
  insertionOption: 'AppendSibling',
  disableXPathTransformation: false,
};

export const FLOW_ACTION = {
  id: ACTION_ID,
  type: 'Signer',
  status: 'Pending',
  step: 1,
  title: null,
  user: PERSON,
  ruleName: null,
  numberRequiredSignatures: 1,
  allowRuleFlowToContinueIfRefused: false,
  signRuleUsers: [],
  requiredCompanyIdentifier: null,
  requiredCertificateTypeToSign: null,
  requireCompanyCertificate: false,
  requiredCertificateHolderTypeToSign: null,
  prePositionedMarks: [],
  marks: [UPPER_LEFT_MARK],
  signatureInitialsMode: 'None',
  xadesOptions: null,
  allowElectronicSignature: false,
  requireSmsAuthenticationToSignElectronically: false,
  requireWhatsappAuthenticationToSignElectronically: false,
  requireAuthenticatorAppToSignElectronically: false,
  requireSelfieAuthenticationToSignElectronically: false,
  requireDatavalidAuthenticationToSignElectronically: false,
  requirePixAuthenticationToSignElectronically: false,
  requireLivenessAuthenticationToSignElectronically: false,
  requireIdScanAuthenticationToSignElectronically: false,
  disableEmailAuthenticationToSignElectronically: false,
  isElectronic: false,
  creationDate: CREATED,
  updateDate: CREATED,
  pendingDate: CREATED,
  completedBy: [],
  refusalReason: null,
};

export const OBSERVER = {
  id: '3f6b8a1d-2c4e-8f70-a5b9-0d1e2f3a4b5c',
  user: PERSON,
  name: 'Ana Souza',
  email: 'ana@sandbox.example',
  emailAddress: 'ana@sandbox.example',
  identifier: '52998224725',
};

export const STORED_FLOW = {
  id: FLOW_ID,
  name: 'Purchases',
  creationDate: CREATED,
  updateDate: UPDATED,
  createdBy: AGENT,
};

export const FLOW_EDIT = {
  date: UPDATED,
  by: AGENT,
  added: [{ id: ACTION_ID, type: 'Signer', names: ['Ana Souza'] }],
  changed: [],
  removed: [],
};

export const FOLDER = {
  id: FOLDER_ID,
  name: 'Signer folder',
  parentId: null,
  organizationId: ORGANIZATION_ID,
  creationDate: CREATED,
};

export const FOLDER_INFO = {
  id: FOLDER_ID,
  name: 'Signer folder',
  parentId: null,
  organizationName: 'Sandbox Organization',
};

export const ORGANIZATION = {
  id: ORGANIZATION_ID,
  name: 'Sandbox Organization',
  identifier: '11222333000181',
  owner: OWNER,
};

export const BRANDING = { displayName: 'Sandbox Organization', logoUrl: null, color: null };

export const LISTED_DOCUMENT = {
  id: DOCUMENT_ID,
  name: 'contract',
  filename: 'contract.pdf',
  fileSize: 48_213,
  mimeType: 'application/pdf',
  hasSignature: false,
  status: 'Pending',
  isConcluded: false,
  folder: FOLDER_INFO,
  creationDate: CREATED,
  updateDate: UPDATED,
  expirationDate: null,
  expirationDateWithoutTime: null,
  createdBy: AGENT,
  description: null,
  type: null,
  tags: [{ id: '5c0d2f1e-7a3b-8e64-a1f0-3b9d6c2e4f75', label: 'contract', value: null, color: null }],
  flowActions: [FLOW_ACTION],
};

export const DOCUMENT = {
  ...LISTED_DOCUMENT,
  key: CODE,
  checksumMd5: '9e107d9d372bb6826bd81d3542a419d6',
  isDeleted: false,
  organization: ORGANIZATION,
  additionalInfo: null,
  forceCadesSignature: false,
  isScanned: false,
  isEnvelope: false,
  parts: [],
  statusUpdatedBy: null,
  statusUpdateReason: null,
  hideDownloadOptionForPendingDocuments: false,
  signatureType: 'None',
  securityContext: null,
  language: null,
  ...{ disableNotifications: false, disablePendingActionNotifications: false },
  observers: [OBSERVER],
  attachments: [
    {
      id: ATTACHMENT_ID,
      displayName: 'Annex',
      name: 'annex.pdf',
      filename: 'annex.pdf',
      contentType: 'application/pdf',
      mimeType: 'application/pdf',
      size: 1_024,
      fileSize: 1_024,
      creationDate: CREATED,
      updateDate: CREATED,
      createdBy: AGENT,
      isPrivate: false,
    },
  ],
  flowEdits: [FLOW_EDIT],
  notifiedEmails: [],
  changes: [],
  messages: [],
  actionUrls: [],
  permissions: { move: true, editFlow: true },
};

export const PART = {
  uploadId: UPLOAD_ID,
  name: 'contract',
  startPage: 1,
  pages: 3,
  size: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
};

export const VALID = {
  isValid: true,
  passedChecks: [CHECK_EXAMPLE],
  errors: [],
  warnings: [],
};

const ATTEMPT = { date: UPDATED, status: 200, error: null, durationMs: 84 };

export const DELIVERY = {
  id: DELIVERY_ID,
  eventId: 'evt_6mZ0cP4kQe1V',
  type: 'DocumentConcluded',
  state: 'Confirmed',
  attemptCount: 1,
  createdDate: CREATED,
  nextAttemptDate: null,
  lastAttempt: ATTEMPT,
};

export const DELIVERY_DETAILS = {
  ...DELIVERY,
  body: `{"type":"DocumentConcluded","data":{"id":"${DOCUMENT_ID}"}}`,
  attempts: [{ ...ATTEMPT, number: 1, response: 'ok' }],
};

export const WEBHOOK = { id: WEBHOOK_ID, url: 'https://hooks.example.com/sinete', authType: 'Bearer' };
