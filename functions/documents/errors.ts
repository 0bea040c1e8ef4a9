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
  DocumentNotFound: [404, 'No document by this id is open to this key.'],
  VerificationCodeNotFound: [404, 'No document has this verification code.'],
  AttachmentNotFound: [404, 'The document has no attachment by this id.'],
  FolderNotFound: [404, 'No folder by this id is open to this key.'],
  FolderTooDeep: [422, 'The folder cannot be created: folders can be nested only so deep.'],
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
  EnvelopesNotSupported: [422, 'Envelopes are not supported. Send the files as documents of one call.'],
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
  MailNotEnabled: [
    422,
    'No mail is sent: the organization has it turned off, or this deployment has no mail server (Mail:Smtp:Server).',
  ],
  NotificationsDisabled: [422, 'The document was created with `disableNotifications`: it sends no mail.'],
  EmailAddressRequired: [422, 'No e-mail address of this person is known, so no mail can be sent to them.'],
  CodeRequired: [422, 'The document is shown after a code that is sent by mail. Open the link in a browser.'],
  CodeWrong: [422, 'The code is not the one that was sent.'],
  CodeExpired: [422, 'The code is no longer valid. Ask for a new one.'],
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
