import { errorTable } from '../../shared/errors/errors.ts';

export const errors = errorTable({
  DocumentNotFound: [422, 'No document by this id.'],
  SecurityContextNotFound: [422, 'No security context by this id.'],
  SignatureSessionNotFound: [422, 'No signature session by this id.'],
  BadSignatureSessionOperation: [
    422,
    'The operation is not valid in the current status of the session or document.',
  ],
  BackgroundProcessing: [422, 'The resource is being processed in the background. Ask again.'],
  SignatureSessionTokenRequired: [422, 'Send the session token in X-Signature-Session-Token.'],
  BadSignatureSessionToken: [422, 'The signature session token is not valid.'],
  ExpiredSignatureSessionToken: [422, 'The signature session token has expired.'],

  SecurityContextRequired: [422, 'Name the security context in securityContextId.'],
  PKCertificateMalformed: [422, 'The certificate cannot be read. Send its DER as base64.'],
  UnsupportedSignatureAlgorithm: [
    422,
    "The certificate's key does not sign here: use RSA of 2048 to 4096 bits, or EC on P-256 or P-384.",
  ],
  InvalidSignature: [422, "The signature is not that of the certificate's key over the bytes to sign."],
  InvalidToken: [422, 'This was not given to this application, or too long ago. Start again.'],
  NonceAlreadyUsed: [422, 'A nonce authenticates once, and this one has. Start again.'],
  StaleSession: [422, 'The authentication was not completed in its time. Start again.'],
  ClientSignatureNotSet: [422, 'No signature was submitted yet: send it to SignedBytes first.'],
  ClientSignatureAlreadySet: [422, 'A signature was submitted already, and there is no second one.'],

  CertificateMismatch: [422, 'Another certificate signed the first document of this session. Use the same.'],
  CertificateRequirementNotMet: [
    422,
    'The session asks for another certificate: of the CPF that it names, or in a device (A3, A4). details.requirement says which.',
  ],
  WayNotOffered: [
    422,
    'The session cannot be signed in this way: the deployment does not offer it, or nobody named the CPF of the signer.',
  ],
  DocumentNotSignable: [422, 'The file cannot be signed in its format.'],
  EmptyDocument: [422, 'The document has no content.'],
  TooManyDocuments: [422, 'The session would have more documents than one may have.'],

  FileRejected: [422, 'The application does not take this file. details.reason says why. Choose another.'],
  FileValidationUnavailable: [
    422,
    'The application did not say in time whether it takes the file, so that it was not added. Try again later.',
  ],

  EntityNotFound: [422, 'What the request names does not exist, or is of another application.'],
  EntityAlreadyExists: [422, 'What the request names is used already.'],
  EntityUnusable: [422, 'What the request names cannot be used here. The details say why.'],
  SignaturePolicyRequired: [422, 'Name the signature policy in signaturePolicyId.'],
  TimestampingUnavailable: [
    422,
    'A timestamp is needed, and no authority gives one here: none is set up, or none answered.',
  ],
  ValidationError: [422, 'The certificate may not sign. validationResults says why.'],
  ProtectedPdfError: [422, 'The PDF is protected by a password. Send it without.'],
  InvalidPdf: [422, 'The PDF cannot be signed as it is. The details say why.'],
  InvalidVisualRepresentation: [
    422,
    'The signature cannot be shown as it is asked for. The details say why.',
  ],
  PadesPositionNotFilled: [
    422,
    'Say where the signature is shown: give the position a `manual` or an `auto`.',
  ],
  FontSizeZero: [422, 'A font size is 0. Leave it out for the size that fits.'],
  InvalidPage: [422, 'The PDF has no such page. The details say how many it has.'],
  CannotApplyPdfMarks: [422, 'The marks cannot be drawn into this PDF. The details say why.'],
  InvalidXml: [422, 'The XML cannot be signed as it is asked for. The details say why.'],
  InvalidCades: [422, 'The file is no CMS signature that another can be added to.'],
  MissingDataHash: [
    422,
    'The signature is apart from its content. Send the content, or its SHA256 in dataHashes.',
  ],
  BadDigest: [422, 'The bytes arrived other than they were announced. Send them again.'],
  FileDownloadFailed: [422, 'The file could not be fetched from its address. The details say why.'],

  OptionNotSupported: [
    422,
    'The request has an option that is not supported. The details name it; send the request without it.',
  ],

  BiometricsUnavailable: [422, 'No biometric provider is set up here. Ask the operator.'],
  ReturnUrlNotRegistered: [422, 'returnUrl is not registered for this application. Ask the operator.'],
  TrustedOriginNotRegistered: [
    422,
    'trustedOrigin is not registered for this application. Ask the operator.',
  ],
  InvalidSubjectIdentifier: [422, 'subjectIdentifier is of no kind that is taken here.'],
  SubjectAlreadyEnrolled: [
    422,
    'The subject is enrolled. dangerousOverrideIfAlreadyEnrolled replaces the face without comparing it.',
  ],
  BioSessionNotFound: [422, 'No biometric session of this kind by this id.'],
  InvalidTicket: [
    422,
    'This ticket was not given for a session of this kind, or a newer one took its place.',
  ],
  TicketAlreadyUsed: [
    422,
    'A ticket completes a session once, and this one has. Read the session by its id.',
  ],
  BadBioSessionToken: [422, 'This address opens no biometric session.'],
  BioSessionExpired: [422, 'The time of the biometric session is over.'],
  BadBioSessionOperation: [422, 'The biometric session is in a state that does not allow this.'],
  GeolocationRequired: [422, 'The session asks for the place of the device, and it has not been given.'],
  BiometricProviderUnavailable: [
    422,
    'The biometric provider did not answer. The try was not counted: make it again.',
  ],

  InvalidRequest: [[400, 408, 413, 415], 'The request is malformed.'],
  Unauthorized: [401, 'The API key is missing or invalid.'],
  Forbidden: [403, 'The key is valid, but its application lacks permission for this operation.'],
  EndpointNotFound: [404, 'No operation answers this method and path.'],
  TooManyRequests: [429, 'Too many requests. Retry later.'],
  ServiceUnavailable: [
    503,
    'The store does not answer in time. Retry as Retry-After says; what was asked for may have been done.',
  ],
  UnexpectedError: [500, 'Unexpected error. Give the exception code to support.'],
});
