/** The codes that operations on a document's flow share. */
export const TICKET_CODES = ['DocumentInvalidKey', 'InvalidTicket', 'CodeRequired'] as const;
export const ACTION_CODES = ['InvalidDocumentStatus', 'InvalidFlowAction'] as const;
export const CREATE_CODES = [
  'OrganizationRequired',
  'OrganizationNotFound',
  'FolderNotFound',
  'FolderTooDeep',
  'UploadNotFound',
  'UploadIncomplete',
  'UploadAlreadyUsed',
  'FormNotFillable',
  'OptionNotSupported',
  'InvalidExpirationDate',
] as const;
export const START_CODES = [
  ...ACTION_CODES,
  'CertificateNotFound',
  'CpfMismatch',
  'CpfNotExpected',
  'CompanyIdentifierMismatch',
  'CertificateTypeMismatch',
  'CertificateHolderTypeMismatch',
  'DocumentNotSignable',
  'InvalidSignatureToken',
  'SigningUnavailable',
] as const;
export const COMPLETE_CODES = [
  'InvalidDocumentStatus',
  'InvalidFlowAction',
  'InvalidSignatureToken',
  'InvalidSignature',
  'DocumentNotSignable',
  'SigningUnavailable',
  'TimestampUnavailable',
] as const;
