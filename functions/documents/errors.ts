import { errorTable } from '../../shared/errors/errors.ts';

export const errors = errorTable({
  OrganizationNotFound: [404, 'No organization by this id is open to this key.'],
  MaxWebhooksLimitReached: [422, 'The organization has as many webhooks as it may have.'],
  OperationNotSupportedInPersonalOrganizations: [422, 'A personal organization cannot do this.'],
  OrganizationRequired: [
    422,
    'No organization is registered for this application. An operator registers one: npm run admin -- apps register.',
  ],
  DocumentNotFound: [404, 'No document by this id is open to this key.'],
  AttachmentNotFound: [404, 'The document has no attachment by this id.'],
  FolderNotFound: [404, 'No folder by this id is open to this key.'],
  FolderTooDeep: [422, 'Folders cannot be in each other any deeper.'],
  WebhookNotFound: [404, 'The organization has no webhook by this id.'],
  DeliveryNotFound: [404, 'The webhook has no delivery by this id.'],
  DeliveryNotFinished: [422, 'The delivery still waits for an attempt. One that has ended can be replayed.'],
  EventNotKept: [422, 'What this delivery sent is no longer kept, so it cannot be sent again.'],
  UploadNotFound: [
    422,
    'No finished upload by this id waits in the organization. Uploads are collected when no document takes them in time.',
  ],
  UploadIncomplete: [422, 'The file that was put is not of the size that was announced. Put it again.'],
  UploadAlreadyUsed: [422, 'A document has taken this upload already. Send the file again.'],
  EnvelopesNotSupported: [422, 'Envelopes are not supported. Send the files as documents of one call.'],
  InvalidExpirationDate: [422, 'The expiration date is over.'],
  InvalidDocumentStatus: [422, 'The document is in a status in which this cannot be done.'],
  InvalidFlowAction: [422, 'The document does not wait for this action of this person.'],
  CpfMismatch: [422, "The certificate's CPF is not the one that the action asks for."],
  CpfNotExpected: [422, 'The document waits for no signature by this CPF.'],
  CompanyIdentifierMismatch: [422, "The certificate's CNPJ is not the one that the action asks for."],
  CertificateTypeMismatch: [422, "The certificate's type is not the one that the action asks for."],
  CertificateHolderTypeMismatch: [
    422,
    'The certificate is not of the holder that the action asks for: a person, or a company.',
  ],
  OptionNotSupported: [
    422,
    'The request asks for something that is not supported here. The details name it; send the request without it.',
  ],
  CertificateNotFound: [422, 'The request holds no certificate that can be read. Send its DER as base64.'],
  DocumentInvalidKey: [422, 'No document is open by this key.'],
  InvalidTicket: [
    422,
    'The link has expired, was replaced or belongs to another document. Ask for a new one.',
  ],
  InvalidSignatureToken: [
    422,
    'The token has expired, was used, or another signature came first. Start the signature again.',
  ],
  InvalidSignature: [422, 'The signature is not one of the given hash by the key of the given certificate.'],
  DocumentNotSignable: [422, 'The file cannot be signed in this format.'],
  SigningUnavailable: [
    503,
    'This deployment trusts no certification authority yet. An operator names the roots in Certificates:TrustAnchors.',
  ],
  TimestampUnavailable: [
    503,
    'No timestamp authority gave a timestamp, so nothing was signed. Send the same request again.',
  ],
  ContentNotAvailable: [422, 'The document has no such content in its present status.'],
  ContentTooLarge: [
    422,
    'The content is larger than an answer in JSON carries. Download it: GET /api/documents/{id}/content.',
  ],
  InvalidWebhookUrl: [422, 'The address cannot be a webhook.'],
  FileNotVerifiable: [
    422,
    'The file carries no signature that can be verified. `details.reason` and `details.message` say why.',
  ],
  UploadEmpty: [422, 'The upload has no file, or the file is empty.'],

  InvalidRequest: [[400, 408, 413, 415], 'The request is malformed.'],
  Unauthorized: [401, 'The API key is missing or invalid.'],
  Forbidden: [403, 'The key is valid, but its application lacks permission for this operation.'],
  EndpointNotFound: [404, 'No operation answers this method and path.'],
  TooManyRequests: [429, 'Too many requests. Retry later.'],
  ServiceUnavailable: [
    503,
    'The store does not answer in time. Retry as Retry-After says; what was asked for may have been done.',
  ],
  UnexpectedError: [500, 'The request could not be completed. It is safe to retry.'],
});
