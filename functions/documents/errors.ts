import { errorTable } from '../../shared/errors/errors.ts';

export const errors = errorTable({
  OrganizationNotFound: [404, 'No organization by this id is open to this key.'],
  MaxWebhooksLimitReached: [422, 'The organization has the maximum number of webhooks.'],
  OperationNotSupportedInPersonalOrganizations: [
    422,
    'This operation is not available in a personal organization.',
  ],
  OrganizationRequired: [
    422,
    'No organization is registered for this application. An operator registers one: npm run admin -- apps register.',
  ],
  MemberNotFound: [404, 'The organization has no member by this id.'],
  MemberAlreadyExists: [422, 'A member of the organization has this e-mail address or CPF already.'],
  MaxMembersLimitReached: [422, 'The organization has the maximum number of members.'],
  LastOwner: [422, 'The organization would have no owner. Make somebody else an owner first.'],
  ApplicationNotFound: [404, 'The organization has no application or key by this id.'],
  MaxApplicationsLimitReached: [
    422,
    'The organization has the maximum number of applications, or of keys of one.',
  ],
  DocumentNotFound: [404, 'No document by this id is open to this key.'],
  VerificationCodeNotFound: [404, 'No document has this verification code.'],
  AttachmentNotFound: [404, 'The document has no attachment by this id.'],
  FolderNotFound: [404, 'No folder by this id is open to this key.'],
  FolderTooDeep: [422, 'The folder cannot be created: folders can be nested only so deep.'],
  MarksSessionNotFound: [
    404,
    'No marks session by this id is open to this key. Sessions are kept for an hour.',
  ],
  FlowNotFound: [404, 'No stored flow by this id is open to this key.'],
  DraftNotFound: [404, 'The draft does not exist any more: it was sent, deleted, or is older than a month.'],
  DraftChanged: [
    409,
    'Somebody else, or another window, has changed the draft meanwhile. Look at it before you save over it.',
  ],
  DraftNotReady: [422, 'The draft cannot be sent yet. Its page says what is missing.'],
  MaxDraftsLimitReached: [422, 'You have the maximum number of drafts. Send or delete one first.'],
  WebhookNotFound: [404, 'The organization has no webhook by this id.'],
  DeliveryNotFound: [404, 'The webhook has no delivery by this id.'],
  DeliveryNotFinished: [
    422,
    'The delivery still waits for an attempt. Only an ended delivery can be replayed.',
  ],
  EventNotKept: [422, 'The body of this delivery is no longer stored, so it cannot be sent again.'],
  UploadNotFound: [
    422,
    'The organization has no finished upload by this id. Uploads are deleted when no document uses them in time.',
  ],
  UploadIncomplete: [422, 'The uploaded file does not have the announced size. Put it again.'],
  UploadAlreadyUsed: [422, 'A document already uses this upload. Upload the file again.'],
  FormNotFillable: [
    422,
    'The values of additionalInfo cannot be written into the file. `details.reason` says why.',
  ],
  EnvelopePartNotUsable: [
    422,
    'A file cannot be a part of an envelope. The details name it, and `details.reason` says why.',
  ],
  DocumentIsEnvelope: [
    422,
    'The document is an envelope. Send all its files to POST /api/documents/{id}/envelope/versions.',
  ],
  DocumentIsNoEnvelope: [
    422,
    'The document is no envelope. Send its file to POST /api/documents/{id}/versions.',
  ],
  GenerationNotFound: [404, 'No generation of documents by this id is open to this key.'],
  TemplateNotFound: [404, 'No template by this id is open to this key.'],
  TemplateChanged: [
    422,
    'The template was changed since it was read. Read it again, and send the change with its version.',
  ],
  TemplateNotUsable: [422, 'No document can be made of the template. `details.reason` says why.'],
  DataFileNotUsable: [422, 'The data file cannot be used. `details.reason` says why.'],
  InvalidGenerationStatus: [422, 'The status of the generation does not allow this operation.'],
  GenerationFilesGone: [
    422,
    'The template and the lines are no longer stored. Send those that are left as another generation.',
  ],
  InvalidExpirationDate: [422, 'The expiration date has passed.'],
  InvalidDocumentStatus: [422, 'The status of the document does not allow this operation.'],
  InvalidFlowAction: [422, 'The document does not await this action of this person.'],
  CpfMismatch: [422, "The certificate's CPF is not the one that the action requires."],
  CpfNotExpected: [422, 'The document awaits no signature by this CPF.'],
  CompanyIdentifierMismatch: [422, "The certificate's CNPJ is not the one that the action requires."],
  CertificateTypeMismatch: [422, "The certificate's type is not the one that the action requires."],
  CertificateHolderTypeMismatch: [
    422,
    'The holder of the certificate is not of the type that the action requires: a person, or a company.',
  ],
  OptionNotSupported: [
    422,
    'The request has an option that is not supported. The details name it; send the request without it.',
  ],
  CertificateNotFound: [422, 'The certificate of the request cannot be read. Send its DER as base64.'],
  DocumentInvalidKey: [422, 'No document can be opened with this key.'],
  InvalidTicket: [
    422,
    'The link has expired, was replaced or belongs to another document. Ask for a new one.',
  ],
  NotInFlow: [
    404,
    'The person of this link takes no part in the document any more, or has another address there. Ask for a new link.',
  ],
  MailNotEnabled: [
    422,
    'No mail is sent: the organization has it turned off, or this deployment has no mail server (Mail:Smtp:Server).',
  ],
  NotificationsDisabled: [422, 'The document was created with `disableNotifications`: it sends no mail.'],
  EmailAddressRequired: [422, 'No e-mail address of this person is known, so no mail can be sent to them.'],
  SealRequired: [
    422,
    'Without a seal of the organization nothing can be signed electronically. Set one: PUT /api/organizations/{orgId}/seal.',
  ],
  SealNotUsable: [422, 'The certificate cannot be the seal of the organization. `details.reason` says why.'],
  CodeRequired: [422, 'The document is shown after a code that is sent by mail. Open the link in a browser.'],
  CodeWrong: [422, 'The code is not the one that was sent.'],
  CodeExpired: [422, 'The code is no longer valid. Ask for a new one.'],
  CodesLocked: [
    422,
    'Six codes in a row were wrong, so that no code is taken for 15 minutes. Wait, and ask for a new one.',
  ],
  AuthenticationRequired: [
    422,
    'The signature needs a code that was not given. `details.missing` names what is asked for.',
  ],
  ElectronicSignatureNotAllowed: [
    422,
    'The action may not be signed electronically. Sign it with a certificate.',
  ],
  ElectronicSignatureImpossible: [
    422,
    'The file cannot be signed electronically. `details.reason` says why.',
  ],
  FactorNotOffered: [
    422,
    'This deployment does not authenticate people in this way. An operator sets Sms:Url for codes by SMS, Liveness:ApiKey for liveness.',
  ],
  AuthenticatorNotSetUp: [
    422,
    'The person has set up no authenticator app yet. They do so at the page of an action URL.',
  ],
  PhoneRequired: [422, 'No telephone of this person is known, so no code can be sent to them by SMS.'],
  LivenessFailed: [
    422,
    'The biometric session did not show a living person. Begin another one at the page of the action URL.',
  ],
  LivenessUnavailable: [503, 'The PKI core did not serve the biometric session. Try again in a moment.'],
  SmsUnavailable: [503, 'The provider of SMS did not take the message. Ask for the code again.'],
  SignatureImageNotUsable: [422, 'The image of the signature cannot be used. `details.reason` says why.'],
  InvalidSignatureToken: [
    422,
    'The token has expired or was used, or another signature was completed first. Start the signature again.',
  ],
  InvalidSignature: [422, 'The signature was not made over the hash with the key of the certificate.'],
  DocumentNotSignable: [422, 'The file cannot be signed in this format.'],
  SigningUnavailable: [
    503,
    'This deployment trusts no certification authority yet. An operator names the roots in Certificates:TrustAnchors.',
  ],
  TimestampUnavailable: [
    503,
    'No timestamp authority answered with a timestamp, so nothing was signed. Send the same request again.',
  ],
  WayNotOffered: [
    422,
    'This deployment does not sign in this way. An operator sets Hub:ApiKey for cloud certificates, Workstations:ApiKey for tokens.',
  ],
  ContentNotAvailable: [422, 'The document has no such content in its current status.'],
  ContentTooLarge: [
    422,
    'The content is too large for a JSON response. Download it: GET /api/documents/{id}/content.',
  ],
  InvalidWebhookUrl: [422, 'The address cannot be used for a webhook.'],
  FileNotVerifiable: [
    422,
    'The file has no signature that can be verified. `details.reason` and `details.message` say why.',
  ],
  UploadEmpty: [422, 'The upload has no file, or the file is empty.'],

  InvalidRequest: [[400, 408, 413, 415], 'The request is malformed.'],
  Unauthorized: [401, 'The API key is missing or invalid.'],
  Forbidden: [403, 'The key is valid, but its application lacks permission for this operation.'],
  EndpointNotFound: [404, 'There is no operation for this method and path.'],
  TooManyRequests: [429, 'Too many requests. Retry later.'],
  ServiceUnavailable: [
    503,
    'The store did not answer in time. Retry after the time in Retry-After; the operation may have been done.',
  ],
  UnexpectedError: [
    500,
    'The request failed. It may have taken effect: look before you send it again, or send it with its Idempotency-Key.',
  ],
});

export type ErrorCode = Parameters<typeof errors.refuse>[0];
