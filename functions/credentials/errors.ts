import { errorTable } from '../../shared/errors/errors.ts';

export const errors = errorTable({
  SubscriptionNotFound: [404, 'No organization by this id is open to this key.'],
  InstituteNotFound: [404, 'No institute by this id is open to this key.'],
  ItemNotFound: [404, 'There is no such item, or it is not open to this key.'],
  FileNotFound: [404, 'The item has no file by this name, or the file is not signed yet.'],
  TokenNotFound: [404, 'The restamp has no token: it is not applied yet. The details name its status.'],
  MemberNotFound: [404, 'The organization has no member by this id.'],
  BatchNotFound: [404, 'No batch by this id is open to this key.'],
  UploadNotFound: [404, 'No upload by this id is open to this key, or its file was not put.'],
  OrganizationRequired: [
    422,
    'No organization is registered for this application. An operator registers one: npm run admin -- apps register.',
  ],
  OrganizationKindMismatch: [422, 'The organization is not of the kind that this operation needs.'],
  InvalidStatus: [422, 'The status of the item does not allow this operation. The details name it.'],
  CancellationReasonMismatch: [
    422,
    'An annulment needs cancellationReason, one of the six texts of the schema; no other change has one.',
  ],
  InvalidPeriod: [422, 'The period must begin before it ends, and end today or earlier (UTC).'],
  InvalidXml: [422, 'The XML file cannot be read, or has another root than its name says.'],
  SignersRequired: [
    422,
    'The institute names no signers. An operator names them: npm run admin -- institutes signers.',
  ],
  SignersPending: [
    422,
    'No document of the item has come to nothing. Its file is handed over again once it has a problem: its document is refused, canceled, expired or gone, or the signed file does not verify.',
  ],
  FileNotSigned: [422, 'The file is not signed yet: there is no signature whose proof could expire.'],
  RestampPending: [422, 'A restamp of this file is not applied yet. The details name it.'],
  TooManyRestamps: [
    422,
    'The file has as many restamps as can be asked for. The sweep still stamps it in time.',
  ],
  TimestampAuthorityRequired: [
    422,
    'No timestamp authority is configured. An operator names one in Restamps:TimestampAuthorities.',
  ],
  RegistrarNotFound: [422, 'There is no registrar by this id.'],
  FileChanged: [
    422,
    'The signed file in the store is not the one that was taken. Tell the operator: it may be brought back from an old version.',
  ],
  MemberAlreadyExists: [
    422,
    'Another member of the organization has the same address or CPF. The details name the field.',
  ],
  MaxMembersLimitReached: [
    422,
    'The organization has as many members as it can have. The details name how many.',
  ],
  LastAdministrator: [
    422,
    'The organization would have no Administrador. Give another member this role first.',
  ],
  InvalidWebhookUrl: [422, 'The address of the webhook cannot be called. The details say why.'],
  WebhookNotConfigured: [422, 'No enabled webhook receives the events of this item.'],
  TooManyLines: [422, 'A batch has more lines than MaxDegreesInBatch.'],
  TooManyFiles: [422, 'One request has more files than UploadsPerRequest.'],
  SearchTooWide: [422, 'The text filter would read too many items. Narrow it by status, from or to.'],
  InvalidFields: [422, 'A field or parameter is missing or invalid. The details name it.'],
  InvalidRequest: [[408, 413, 415], 'The request is too slow, too large or of another media type.'],
  Unauthorized: [401, 'The API key is missing or invalid.'],
  Forbidden: [403, 'The key is valid, but its application lacks permission for this operation.'],
  EndpointNotFound: [404, 'No operation answers this method and path.'],
  TooManyRequests: [429, 'Too many requests. Retry later.'],
  ServiceUnavailable: [
    503,
    'The store does not answer in time. Retry as Retry-After says; what was asked for may have been done.',
  ],
  UnexpectedError: [
    500,
    'The request failed. It may have taken effect: look before you send it again, or send it with its Idempotency-Key.',
  ],
});

/** A field that the change of an item lacks, or does not take. */
export const invalidField = (field: string, message: string) =>
  errors.refuse('InvalidFields', { field, reason: message }, { fields: [{ field, message }] });
