// Made of functions/pki/openapi.json by npm run openapi.

export const operations = {
  authenticate: { method: 'POST', path: '/Api/Authentication', body: 'json', answer: 'json' },
  getAuthentication: { method: 'GET', path: '/Api/Authentication', answer: 'json' },
  startAuthentication: { method: 'POST', path: '/Api/Authentications', body: 'json', answer: 'json' },
  finalizeAuthentication: { method: 'POST', path: '/Api/Authentications/{token}/Finalize', answer: 'json' },
  submitSignedBytes: { method: 'POST', path: '/Api/Authentications/{token}/SignedBytes', body: 'json', answer: 'json' },
  startCadesSignature: { method: 'POST', path: '/Api/CadesSignatures', body: 'json', answer: 'json' },
  openCadesSignature: { method: 'POST', path: '/Api/CadesSignatures/Open', body: 'json', answer: 'json' },
  getRequiredHashes: { method: 'POST', path: '/Api/CadesSignatures/RequiredHashes', body: 'json', answer: 'json' },
  finalizeCadesSignature: { method: 'POST', path: '/Api/CadesSignatures/{token}/Finalize', answer: 'json' },
  submitCadesSignature: { method: 'POST', path: '/Api/CadesSignatures/{token}/SignedBytes', body: 'json', answer: 'json' },
  beginMultipartUpload: { method: 'POST', path: '/Api/MultipartUploads', answer: 'json' },
  completeMultipartUpload: { method: 'POST', path: '/Api/MultipartUploads/{token}', body: 'json', answer: 'nothing' },
  uploadPart: { method: 'POST', path: '/Api/MultipartUploads/{token}/{partNumber}', body: 'form', answer: 'nothing' },
  startPadesSignature: { method: 'POST', path: '/Api/PadesSignatures', body: 'json', answer: 'json' },
  openPadesSignature: { method: 'POST', path: '/Api/PadesSignatures/Open', body: 'json', answer: 'json' },
  finalizePadesSignature: { method: 'POST', path: '/Api/PadesSignatures/{token}/Finalize', answer: 'json' },
  submitPadesSignature: { method: 'POST', path: '/Api/PadesSignatures/{token}/SignedBytes', body: 'json', answer: 'json' },
  getFootnotePreset: { method: 'GET', path: '/Api/PadesVisualPositioningPresets/Footnote', answer: 'json' },
  getFootnoteBottomUpPreset: { method: 'GET', path: '/Api/PadesVisualPositioningPresets/FootnoteBottomUp', answer: 'json' },
  getNewPagePreset: { method: 'GET', path: '/Api/PadesVisualPositioningPresets/NewPage', answer: 'json' },
  addPdfMarks: { method: 'POST', path: '/Api/Pdf/AddMarks', body: 'json', answer: 'json' },
  getSystemInfo: { method: 'GET', path: '/Api/System/Info', answer: 'json' },
  startFullXmlSignature: { method: 'POST', path: '/Api/XmlSignatures/FullXmlSignature', body: 'json', answer: 'json' },
  openXmlSignature: { method: 'POST', path: '/Api/XmlSignatures/Open', body: 'json', answer: 'json' },
  startXmlElementSignature: { method: 'POST', path: '/Api/XmlSignatures/XmlElementSignature', body: 'json', answer: 'json' },
  finalizeXmlSignature: { method: 'POST', path: '/Api/XmlSignatures/{token}/Finalize', answer: 'json' },
  submitXmlSignature: { method: 'POST', path: '/Api/XmlSignatures/{token}/SignedBytes', body: 'json', answer: 'json' },
  startCadesSignatureV2: { method: 'POST', path: '/Api/v2/CadesSignatures', body: 'json', answer: 'json' },
  submitCadesSignatureV2: { method: 'POST', path: '/Api/v2/CadesSignatures/{token}/SignedBytes', body: 'json', answer: 'json' },
  startPadesSignatureV2: { method: 'POST', path: '/Api/v2/PadesSignatures', body: 'json', answer: 'json' },
  submitPadesSignatureV2: { method: 'POST', path: '/Api/v2/PadesSignatures/{token}/SignedBytes', body: 'json', answer: 'json' },
  openXmlSignatureV2: { method: 'POST', path: '/Api/v2/XmlSignatures/Open', body: 'json', answer: 'json' },
  startCadesSignatureV3: { method: 'POST', path: '/Api/v3/CadesSignatures', body: 'json', answer: 'json' },
  startEnrollment: { method: 'POST', path: '/api/bio/sessions/enrollment', body: 'json', answer: 'json' },
  completeEnrollment: { method: 'POST', path: '/api/bio/sessions/enrollment/completion', body: 'json', answer: 'json' },
  startLiveness: { method: 'POST', path: '/api/bio/sessions/liveness', body: 'json', answer: 'json' },
  completeLiveness: { method: 'POST', path: '/api/bio/sessions/liveness/completion', body: 'json', answer: 'json' },
  getBioSession: { method: 'GET', path: '/api/bio/sessions/{kind}/{sessionId}', answer: 'json' },
  allocateDocumentKey: { method: 'POST', path: '/api/document-keys', body: 'json', answer: 'json' },
  allocateDocumentKeys: { method: 'POST', path: '/api/document-keys/batch', body: 'json', answer: 'json' },
  getUnusedDocumentKeys: { method: 'GET', path: '/api/document-keys/unused', answer: 'json' },
  getDocumentKey: { method: 'GET', path: '/api/document-keys/{key}', answer: 'json' },
  getDocumentByKey: { method: 'GET', path: '/api/documents/keys/{key}', answer: 'json' },
  getDocument: { method: 'GET', path: '/api/documents/{id}', answer: 'json' },
  getDocumentSigners: { method: 'GET', path: '/api/documents/{id}/signers', answer: 'json' },
  stampPdf: { method: 'POST', path: '/api/pdf/stamp', body: 'json', answer: 'json' },
  uploadPlain: { method: 'POST', path: '/api/plain-uploads', body: 'form', answer: 'json' },
  prepareSignature: { method: 'POST', path: '/api/signature', body: 'json', answer: 'json' },
  inspectSignature: { method: 'PUT', path: '/api/signature-inspection', body: 'json', answer: 'json' },
  createSignatureSession: { method: 'POST', path: '/api/signature-sessions', body: 'json', answer: 'json' },
  getSignatureSession: { method: 'GET', path: '/api/signature-sessions/{sessionId}', answer: 'json', headers: ['X-Signature-Session-Token'] },
  cancelSignatureSession: { method: 'POST', path: '/api/signature-sessions/{sessionId}/cancellation', answer: 'json', headers: ['X-Signature-Session-Token'] },
  awaitSignatureSession: { method: 'POST', path: '/api/signature-sessions/{sessionId}/completion', answer: 'json', headers: ['X-Signature-Session-Token'] },
  addSignatureSessionDocument: { method: 'POST', path: '/api/signature-sessions/{sessionId}/documents', body: 'json', answer: 'json' },
  getSignatureSessionContent: { method: 'GET', path: '/api/signature-sessions/{sessionId}/documents/{documentId}/content', answer: 'file', headers: ['X-Signature-Session-Token'] },
  startSessionSignature: { method: 'POST', path: '/api/signature-sessions/{sessionId}/documents/{documentId}/signature', body: 'json', answer: 'json', headers: ['X-Signature-Session-Token'] },
  completeSessionSignature: { method: 'POST', path: '/api/signature-sessions/{sessionId}/documents/{documentId}/signature/completion', body: 'json', answer: 'json', headers: ['X-Signature-Session-Token'] },
  awaitSignatureSessionProgress: { method: 'GET', path: '/api/signature-sessions/{sessionId}/when-completed', answer: 'json', headers: ['X-Signature-Session-Token'] },
  finishSignature: { method: 'POST', path: '/api/signature/completion', body: 'json', answer: 'json' },
  prepareAuthentication: { method: 'POST', path: '/api/v2/authentication', body: 'json', answer: 'json' },
  completeAuthentication: { method: 'POST', path: '/api/v2/authentication/completion', body: 'json', answer: 'json' },
  getHealth: { method: 'GET', path: '/healthz', answer: 'json' },
  getOpenapi: { method: 'GET', path: '/openapi/v1.json', answer: 'json' },
} as const;

/** What the service refuses with. */
export type Code =
  | 'BackgroundProcessing'
  | 'BadBioSessionOperation'
  | 'BadBioSessionToken'
  | 'BadDigest'
  | 'BadSignatureSessionOperation'
  | 'BadSignatureSessionToken'
  | 'BioSessionExpired'
  | 'BioSessionNotFound'
  | 'BiometricProviderUnavailable'
  | 'BiometricsUnavailable'
  | 'CannotApplyPdfMarks'
  | 'CertificateMismatch'
  | 'CertificateRequirementNotMet'
  | 'ClientSignatureAlreadySet'
  | 'ClientSignatureNotSet'
  | 'DocumentNotFound'
  | 'DocumentNotSignable'
  | 'EmptyDocument'
  | 'EndpointNotFound'
  | 'EntityAlreadyExists'
  | 'EntityNotFound'
  | 'EntityUnusable'
  | 'ExpiredSignatureSessionToken'
  | 'FileDownloadFailed'
  | 'FileRejected'
  | 'FileValidationUnavailable'
  | 'FontSizeZero'
  | 'Forbidden'
  | 'GeolocationRequired'
  | 'InvalidCades'
  | 'InvalidPage'
  | 'InvalidPdf'
  | 'InvalidRequest'
  | 'InvalidSignature'
  | 'InvalidSubjectIdentifier'
  | 'InvalidTicket'
  | 'InvalidToken'
  | 'InvalidVisualRepresentation'
  | 'InvalidXml'
  | 'MissingDataHash'
  | 'NonceAlreadyUsed'
  | 'OptionNotSupported'
  | 'PKCertificateMalformed'
  | 'PadesPositionNotFilled'
  | 'ProtectedPdfError'
  | 'ReturnUrlNotRegistered'
  | 'SecurityContextNotFound'
  | 'SecurityContextRequired'
  | 'ServiceUnavailable'
  | 'SignaturePolicyRequired'
  | 'SignatureSessionNotFound'
  | 'SignatureSessionTokenRequired'
  | 'StaleSession'
  | 'SubjectAlreadyEnrolled'
  | 'TicketAlreadyUsed'
  | 'TimestampingUnavailable'
  | 'TooManyDocuments'
  | 'TooManyRequests'
  | 'TrustedOriginNotRegistered'
  | 'Unauthorized'
  | 'UnexpectedError'
  | 'UnsupportedSignatureAlgorithm'
  | 'ValidationError'
  | 'WayNotOffered';
