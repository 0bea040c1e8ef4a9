// Made of functions/documents/openapi.json by npm run openapi.

export const operations = {
  createOrganization: { method: 'POST', path: '/api/admin/organizations', body: 'json', answer: 'json', once: true },
  deleteOrganization: { method: 'DELETE', path: '/api/admin/organizations/{orgId}', answer: 'nothing' },
  createFlow: { method: 'POST', path: '/api/document-flows', body: 'json', answer: 'json', once: true },
  listFlows: { method: 'GET', path: '/api/document-flows', answer: 'json', pages: 'cursor' },
  deleteFlow: { method: 'DELETE', path: '/api/document-flows/{id}', answer: 'nothing' },
  getFlow: { method: 'GET', path: '/api/document-flows/{id}', answer: 'json' },
  updateFlow: { method: 'PUT', path: '/api/document-flows/{id}', body: 'json', answer: 'json' },
  createTemplate: { method: 'POST', path: '/api/document-templates', body: 'json', answer: 'json', once: true },
  listTemplates: { method: 'GET', path: '/api/document-templates', answer: 'json', pages: 'cursor' },
  deleteTemplate: { method: 'DELETE', path: '/api/document-templates/{id}', answer: 'nothing' },
  getTemplate: { method: 'GET', path: '/api/document-templates/{id}', answer: 'json' },
  updateTemplate: { method: 'PUT', path: '/api/document-templates/{id}', body: 'json', answer: 'json' },
  createDocumentsByTemplate: { method: 'POST', path: '/api/document-templates/{id}/documents', body: 'json', answer: 'json', once: true },
  generateByTemplate: { method: 'POST', path: '/api/document-templates/{id}/generation', body: 'json', answer: 'json', once: true },
  createDocuments: { method: 'POST', path: '/api/documents', body: 'json', answer: 'json', once: true },
  listDocuments: { method: 'GET', path: '/api/documents', answer: 'json', pages: 'cursor' },
  moveDocuments: { method: 'POST', path: '/api/documents/batch/folder', body: 'json', answer: 'json' },
  createGeneration: { method: 'POST', path: '/api/documents/generation', body: 'json', answer: 'json', once: true },
  listGenerations: { method: 'GET', path: '/api/documents/generation', answer: 'json' },
  getGeneration: { method: 'GET', path: '/api/documents/generation/{id}', answer: 'json' },
  cancelGeneration: { method: 'POST', path: '/api/documents/generation/{id}/cancellation', answer: 'json' },
  listGeneratedDocuments: { method: 'GET', path: '/api/documents/generation/{id}/documents', answer: 'json' },
  listGenerationErrors: { method: 'GET', path: '/api/documents/generation/{id}/errors', answer: 'json' },
  resumeGeneration: { method: 'POST', path: '/api/documents/generation/{id}/resumption', answer: 'json' },
  approveDocumentByKey: { method: 'POST', path: '/api/documents/keys/{key}/approval', body: 'json', answer: 'nothing' },
  getActionContent: { method: 'GET', path: '/api/documents/keys/{key}/content', answer: 'file' },
  getActionDetails: { method: 'GET', path: '/api/documents/keys/{key}/details', answer: 'json' },
  signElectronicallyByKey: { method: 'POST', path: '/api/documents/keys/{key}/electronic-signature', body: 'json', answer: 'nothing' },
  refuseDocumentByKey: { method: 'POST', path: '/api/documents/keys/{key}/refusal', body: 'json', answer: 'nothing' },
  completeSignatureByKey: { method: 'POST', path: '/api/documents/keys/{key}/signature', body: 'json', answer: 'json' },
  startSignatureByKey: { method: 'POST', path: '/api/documents/keys/{key}/signature/certificate', body: 'json', answer: 'json' },
  getSignaturesByCode: { method: 'GET', path: '/api/documents/keys/{key}/signatures', answer: 'json' },
  sendSigningCode: { method: 'POST', path: '/api/documents/sms-authentication-code', body: 'json', answer: 'nothing' },
  createStartedDocument: { method: 'POST', path: '/api/documents/started', body: 'json', answer: 'json', once: true },
  validateSignatures: { method: 'POST', path: '/api/documents/validate-signatures', body: 'json', answer: 'json' },
  deleteDocument: { method: 'DELETE', path: '/api/documents/{id}', answer: 'nothing' },
  getDocument: { method: 'GET', path: '/api/documents/{id}', answer: 'json' },
  createActionUrl: { method: 'POST', path: '/api/documents/{id}/action-url', body: 'json', answer: 'json' },
  revokeActionUrls: { method: 'POST', path: '/api/documents/{id}/action-url/revocation', body: 'json', answer: 'nothing' },
  approveDocument: { method: 'POST', path: '/api/documents/{id}/approval', body: 'json', answer: 'nothing' },
  getAttachmentContent: { method: 'GET', path: '/api/documents/{id}/attachments/{attachmentId}/content', answer: 'file' },
  cancelDocument: { method: 'POST', path: '/api/documents/{id}/cancellation', body: 'json', answer: 'nothing' },
  getContent: { method: 'GET', path: '/api/documents/{id}/content', answer: 'file' },
  getContentB64: { method: 'GET', path: '/api/documents/{id}/content-b64', answer: 'json' },
  signElectronically: { method: 'POST', path: '/api/documents/{id}/electronic-signature', body: 'json', answer: 'nothing' },
  createEnvelopeVersion: { method: 'POST', path: '/api/documents/{id}/envelope/versions', body: 'json', answer: 'nothing' },
  editFlow: { method: 'POST', path: '/api/documents/{id}/flow', body: 'json', answer: 'json', once: true },
  moveDocument: { method: 'POST', path: '/api/documents/{id}/folder', body: 'json', answer: 'nothing' },
  updateNotifiedEmails: { method: 'PUT', path: '/api/documents/{id}/notified-emails', body: 'json', answer: 'nothing' },
  refuseDocument: { method: 'POST', path: '/api/documents/{id}/refusal', body: 'json', answer: 'nothing' },
  completeSignature: { method: 'POST', path: '/api/documents/{id}/signature', body: 'json', answer: 'json' },
  startSignature: { method: 'POST', path: '/api/documents/{id}/signature/certificate', body: 'json', answer: 'json' },
  getSignaturesDetails: { method: 'GET', path: '/api/documents/{id}/signatures-details', answer: 'json' },
  getContentTicket: { method: 'GET', path: '/api/documents/{id}/ticket', answer: 'json' },
  createVersion: { method: 'POST', path: '/api/documents/{id}/versions', body: 'json', answer: 'nothing' },
  getDownload: { method: 'GET', path: '/api/downloads/{ticket}', answer: 'file' },
  createFolder: { method: 'POST', path: '/api/folders', body: 'json', answer: 'json', once: true },
  listFolders: { method: 'GET', path: '/api/folders', answer: 'json', pages: 'cursor' },
  deleteFolder: { method: 'DELETE', path: '/api/folders/{id}', answer: 'nothing' },
  getFolder: { method: 'GET', path: '/api/folders/{id}', answer: 'json' },
  deleteFolderWithChoice: { method: 'POST', path: '/api/folders/{id}/delete', body: 'json', answer: 'nothing' },
  getFolderDetails: { method: 'GET', path: '/api/folders/{id}/details', answer: 'json' },
  createMarksSession: { method: 'POST', path: '/api/marks-sessions', body: 'json', answer: 'json' },
  createMarksSessionOfDocuments: { method: 'POST', path: '/api/marks-sessions/documents', body: 'json', answer: 'json' },
  getMarksSession: { method: 'GET', path: '/api/marks-sessions/{id}', answer: 'json' },
  remindFlowAction: { method: 'POST', path: '/api/notifications/flow-action-reminder', body: 'json', answer: 'nothing' },
  createUser: { method: 'POST', path: '/api/organizations/users', body: 'json', answer: 'json' },
  listUsers: { method: 'GET', path: '/api/organizations/users', answer: 'json', pages: 'cursor' },
  deleteUser: { method: 'DELETE', path: '/api/organizations/users/{userId}', answer: 'nothing' },
  getOrganization: { method: 'GET', path: '/api/organizations/{orgId}', answer: 'json' },
  createApplication: { method: 'POST', path: '/api/organizations/{orgId}/applications', body: 'json', answer: 'json' },
  listApplications: { method: 'GET', path: '/api/organizations/{orgId}/applications', answer: 'json' },
  removeApplication: { method: 'DELETE', path: '/api/organizations/{orgId}/applications/{applicationId}', answer: 'nothing' },
  issueApplicationKey: { method: 'POST', path: '/api/organizations/{orgId}/applications/{applicationId}/keys', answer: 'json' },
  revokeApplicationKey: { method: 'DELETE', path: '/api/organizations/{orgId}/applications/{applicationId}/keys/{keyId}', answer: 'nothing' },
  updateBranding: { method: 'PUT', path: '/api/organizations/{orgId}/branding', body: 'json', answer: 'json' },
  updateEmbedding: { method: 'PUT', path: '/api/organizations/{orgId}/embedding', body: 'json', answer: 'json' },
  updateOrganizationMail: { method: 'PUT', path: '/api/organizations/{orgId}/mail', body: 'json', answer: 'json' },
  inviteMember: { method: 'POST', path: '/api/organizations/{orgId}/members', body: 'json', answer: 'json' },
  listMembers: { method: 'GET', path: '/api/organizations/{orgId}/members', answer: 'json' },
  changeMember: { method: 'PUT', path: '/api/organizations/{orgId}/members/{memberId}', body: 'json', answer: 'json' },
  removeMember: { method: 'DELETE', path: '/api/organizations/{orgId}/members/{memberId}', answer: 'nothing' },
  getPreferences: { method: 'GET', path: '/api/organizations/{orgId}/preferences', answer: 'json' },
  updatePreferences: { method: 'PUT', path: '/api/organizations/{orgId}/preferences', body: 'json', answer: 'json' },
  updateSeal: { method: 'PUT', path: '/api/organizations/{orgId}/seal', body: 'json', answer: 'json' },
  getUsage: { method: 'GET', path: '/api/organizations/{orgId}/usage', answer: 'json' },
  createWebhook: { method: 'POST', path: '/api/organizations/{orgId}/webhooks', body: 'json', answer: 'json' },
  deleteWebhook: { method: 'DELETE', path: '/api/organizations/{orgId}/webhooks/{webhookId}', answer: 'nothing' },
  updateWebhook: { method: 'PUT', path: '/api/organizations/{orgId}/webhooks/{webhookId}', body: 'json', answer: 'json' },
  listWebhookDeliveries: { method: 'GET', path: '/api/organizations/{orgId}/webhooks/{webhookId}/deliveries', answer: 'json', pages: 'cursor' },
  replayFailedWebhookDeliveries: { method: 'POST', path: '/api/organizations/{orgId}/webhooks/{webhookId}/deliveries/replay', answer: 'json' },
  getWebhookDelivery: { method: 'GET', path: '/api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}', answer: 'json' },
  replayWebhookDelivery: { method: 'POST', path: '/api/organizations/{orgId}/webhooks/{webhookId}/deliveries/{deliveryId}/replay', answer: 'json' },
  sendWebhookTest: { method: 'POST', path: '/api/organizations/{orgId}/webhooks/{webhookId}/test', answer: 'json' },
  createUpload: { method: 'POST', path: '/api/uploads', body: 'form', answer: 'json' },
  createUploadFromBytes: { method: 'POST', path: '/api/uploads/bytes', body: 'json', answer: 'json' },
  createPresignedUpload: { method: 'POST', path: '/api/uploads/presigned', body: 'json', answer: 'json' },
  getUploadContent: { method: 'GET', path: '/api/uploads/{id}/content', answer: 'file' },
  notifyPending: { method: 'POST', path: '/api/users/notify-pending', body: 'json', answer: 'nothing' },
  verifyFile: { method: 'POST', path: '/api/verification', body: 'form', answer: 'json' },
  verifyByCode: { method: 'GET', path: '/api/verification/{code}', answer: 'json' },
  getVerifiedContent: { method: 'GET', path: '/api/verification/{code}/content', answer: 'file' },
  getHealth: { method: 'GET', path: '/healthz', answer: 'json' },
  getOpenapi: { method: 'GET', path: '/openapi/v1.json', answer: 'json' },
} as const;

/** What the service refuses with. */
export type Code =
  | 'ApplicationNotFound'
  | 'AttachmentNotFound'
  | 'AuthenticationRequired'
  | 'AuthenticatorNotSetUp'
  | 'CertificateHolderTypeMismatch'
  | 'CertificateNotFound'
  | 'CertificateTypeMismatch'
  | 'CodeExpired'
  | 'CodeRequired'
  | 'CodeWrong'
  | 'CodesLocked'
  | 'CompanyIdentifierMismatch'
  | 'ContentNotAvailable'
  | 'ContentTooLarge'
  | 'CpfMismatch'
  | 'CpfNotExpected'
  | 'DataFileNotUsable'
  | 'DeliveryNotFinished'
  | 'DeliveryNotFound'
  | 'DocumentInvalidKey'
  | 'DocumentIsEnvelope'
  | 'DocumentIsNoEnvelope'
  | 'DocumentNotFound'
  | 'DocumentNotSignable'
  | 'DraftChanged'
  | 'DraftNotFound'
  | 'DraftNotReady'
  | 'ElectronicSignatureImpossible'
  | 'ElectronicSignatureNotAllowed'
  | 'EmailAddressRequired'
  | 'EndpointNotFound'
  | 'EnvelopePartNotUsable'
  | 'EventNotKept'
  | 'FactorNotOffered'
  | 'FileNotVerifiable'
  | 'FlowNotFound'
  | 'FolderNotFound'
  | 'FolderTooDeep'
  | 'Forbidden'
  | 'FormNotFillable'
  | 'GenerationFilesGone'
  | 'GenerationNotFound'
  | 'InvalidDocumentStatus'
  | 'InvalidExpirationDate'
  | 'InvalidFlowAction'
  | 'InvalidGenerationStatus'
  | 'InvalidRequest'
  | 'InvalidSignature'
  | 'InvalidSignatureToken'
  | 'InvalidTicket'
  | 'InvalidWebhookUrl'
  | 'LastOwner'
  | 'LivenessFailed'
  | 'LivenessUnavailable'
  | 'MailNotEnabled'
  | 'MarksSessionNotFound'
  | 'MaxApplicationsLimitReached'
  | 'MaxDraftsLimitReached'
  | 'MaxMembersLimitReached'
  | 'MaxWebhooksLimitReached'
  | 'MemberAlreadyExists'
  | 'MemberNotFound'
  | 'NotInFlow'
  | 'NotificationsDisabled'
  | 'OperationNotSupportedInPersonalOrganizations'
  | 'OptionNotSupported'
  | 'OrganizationNotFound'
  | 'OrganizationRequired'
  | 'PhoneRequired'
  | 'SealNotUsable'
  | 'SealRequired'
  | 'ServiceUnavailable'
  | 'SignatureImageNotUsable'
  | 'SigningUnavailable'
  | 'SmsUnavailable'
  | 'TemplateChanged'
  | 'TemplateNotFound'
  | 'TemplateNotUsable'
  | 'TimestampUnavailable'
  | 'TooManyRequests'
  | 'Unauthorized'
  | 'UnexpectedError'
  | 'UploadAlreadyUsed'
  | 'UploadEmpty'
  | 'UploadIncomplete'
  | 'UploadNotFound'
  | 'VerificationCodeNotFound'
  | 'WayNotOffered'
  | 'WebhookNotFound';
