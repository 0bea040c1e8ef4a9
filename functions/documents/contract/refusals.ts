/** The codes that operations on a document's flow share. */
export const TICKET_CODES = ['DocumentInvalidKey', 'InvalidTicket', 'NotInFlow', 'CodeRequired'] as const;
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
  'SealRequired',
  'FactorNotOffered',
  'PhoneRequired',
  'ElectronicSignatureImpossible',
  'DocumentNotSignable',
] as const;
export const ELECTRONIC_CODES = [
  ...ACTION_CODES,
  'ElectronicSignatureNotAllowed',
  'AuthenticationRequired',
  'CodeWrong',
  'CodeExpired',
  'CodesLocked',
  'AuthenticatorNotSetUp',
  'LivenessFailed',
  'LivenessUnavailable',
  'SignatureImageNotUsable',
  'OptionNotSupported',
  'UploadNotFound',
  'InvalidSignatureToken',
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
export const SESSION_CODES = [
  'OrganizationRequired',
  'OrganizationNotFound',
  'UploadNotFound',
  'UploadIncomplete',
  'UploadAlreadyUsed',
  'OptionNotSupported',
] as const;
