import * as z from 'zod';

// The types of a Java client, as strict as its JSON reader: an id is a UUID, a number is never null, a moment has an
// offset. A value of another type fails the whole answer there, whatever the program wanted of it.

export const Guid = z.guid();
export const Moment = z.iso.datetime({ offset: true });
export const Named = z.object({ id: Guid, name: z.string() });
const Agent = Named.extend({ type: z.enum(['User', 'Application']) });
export const Folder = z.object({
  id: Guid,
  name: z.string(),
  parentId: Guid.nullable(),
  organizationName: z.string().nullable(),
});
export const Organization = z.object({ id: Guid, name: z.string(), identifier: z.string(), owner: Named });
export const Text = z.string().nullable();
export const User = z.object({ id: Guid, name: z.string(), identifier: Text, email: Text, phone: Text });
export const RuleUser = User.extend({
  signatureDate: Moment.nullable(),
  isElectronic: z.boolean(),
  refusalDate: Moment.nullable(),
  hasRefused: z.boolean(),
  refusalReason: Text,
});
export const Mark = z.object({
  type: z.enum(['SignatureVisualRepresentation', 'SignatureInitials', 'AuthenticationStamp']),
  uploadId: Guid.nullable(),
  ...{ topLeftX: z.number(), topLeftY: z.number(), width: z.number(), height: z.number() },
  pageNumber: z.int(),
});
export const FlowAction = z.object({
  id: Guid,
  marks: z.array(Mark),
  type: z.enum(['Signer', 'Approver', 'SignRule']),
  status: z.enum(['Created', 'Pending', 'Completed', 'Refused']),
  step: z.int(),
  title: Text,
  ruleName: Text,
  user: User.nullable(),
  numberRequiredSignatures: z.int(),
  signRuleUsers: z.array(RuleUser),
  completedBy: z.array(User),
  creationDate: Moment,
  pendingDate: Moment.nullable(),
  updateDate: Moment,
  allowElectronicSignature: z.boolean(),
  requireSmsAuthenticationToSignElectronically: z.boolean(),
  requireAuthenticatorAppToSignElectronically: z.boolean(),
  requireSelfieAuthenticationToSignElectronically: z.boolean(),
  requireDatavalidAuthenticationToSignElectronically: z.boolean(),
  requirePixAuthenticationToSignElectronically: z.boolean(),
  requiredCertificateTypeToSign: Text,
  requireCompanyCertificate: z.boolean(),
  requiredCompanyIdentifier: Text,
  requiredCertificateHolderTypeToSign: z.enum(['Individual', 'Company']).nullable(),
  refusalReason: Text,
  signatureInitialsMode: z.enum(['None', 'Optional', 'Required']),
  isElectronic: z.boolean(),
  allowRuleFlowToContinueIfRefused: z.boolean(),
});
const Status = z.enum(['Pending', 'Refused', 'FlowConcluded', 'Concluded', 'Canceled', 'Expired']);
const Tag = z.object({ id: Guid, label: Text, value: Text });
const Attachment = z.object({
  id: Guid,
  name: z.string(),
  filename: z.string(),
  fileSize: z.int(),
  mimeType: z.string(),
  creationDate: Moment,
  updateDate: Moment,
  createdBy: Named,
  isPrivate: z.boolean(),
});
export const ListedDocument = z.object({
  id: Guid,
  name: z.string(),
  creationDate: Moment,
  updateDate: Moment,
  folder: Folder.nullable(),
  createdBy: Named,
  type: z.null(),
  tags: z.array(Tag),
  flowActions: z.array(FlowAction),
});
export const DocumentDetails = ListedDocument.extend({
  filename: z.string(),
  fileSize: z.int(),
  mimeType: z.string(),
  checksumMd5: z.string(),
  hasSignature: z.boolean(),
  status: Status,
  isConcluded: z.boolean(),
  isDeleted: z.boolean(),
  organization: Organization,
  expirationDate: Moment.nullable(),
  expirationDateWithoutTime: z.iso.date().nullable(),
  description: Text,
  forceCadesSignature: z.boolean(),
  isScanned: z.boolean(),
  isEnvelope: z.boolean(),
  statusUpdatedBy: Agent.nullable(),
  statusUpdateReason: Text,
  observers: z.array(z.object({ id: Guid, user: User })),
  attachments: z.array(Attachment),
  permissions: z.object({ move: z.boolean(), editFlow: z.boolean() }),
  notifiedEmails: z.array(z.string()),
  key: z.string().regex(/^[0-9A-Z]{20}$/),
  hideDownloadOptionForPendingDocuments: z.boolean(),
  signatureType: z.enum(['None', 'Simple', 'Advanced', 'Qualified']),
  securityContext: z.null(),
});
/** A page of a list. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.object({ items: z.array(item), totalCount: z.int() });

const Common = z.object({
  id: Guid,
  name: z.string(),
  creationDate: Moment,
  updateDate: Moment,
  folder: Folder.nullable(),
  organization: Organization,
  createdBy: Named,
});
const Act = z.object({
  flowActionId: Guid.nullable(),
  date: Moment,
  userId: Guid,
  name: z.string(),
  identifier: z.string().nullable(),
  emailAddress: z.string().nullable(),
});
export const Event = z.discriminatedUnion('type', [
  z.object({ type: z.literal('DocumentsCreated'), data: z.object({ documents: z.array(Common) }) }),
  z.object({ type: z.literal('DocumentApproved'), data: Common.extend({ approval: Act }) }),
  z.object({
    type: z.literal('DocumentRefused'),
    data: Common.extend({ refusal: Act.extend({ reason: z.string() }) }),
  }),
  z.object({
    type: z.literal('DocumentCanceled'),
    data: Common.extend({ canceledBy: Agent, reason: z.string() }),
  }),
  z.object({ type: z.literal('DocumentDeleted'), data: z.object({ documents: z.array(Common) }) }),
]);

export const Upload = z.object({
  ...{ id: Guid, name: z.string(), contentType: z.string(), location: z.string() },
});
export const UploadedBytes = z.object({
  id: Guid,
  size: z.int(),
  digest: z.string().regex(/^[0-9a-f]{32}$/i),
});
export const MovedDocuments = z.array(z.object({ id: Guid, success: z.boolean(), errorMessage: Text }));
export const OwnFolder = z.object({ id: Guid, name: z.string(), parentId: Guid.nullable() });
export const FolderOfOrganization = OwnFolder.extend({ organization: Organization });
export const FlowEdited = z.object({
  rectifiedParticipants: z.array(z.object({ userId: Guid, requested: User, rectified: User })),
});
export const StoredFlow = z.object({
  ...{ id: Guid, name: z.string(), creationDate: Moment, updateDate: Moment, createdBy: Named },
});
export const StoredFlowDetails = StoredFlow.extend({
  flowActions: z.array(FlowAction),
  observers: z.array(z.object({ id: Guid, user: User })),
});
export const Generation = z.object({
  id: Guid,
  status: z.enum([
    ...([
      'Pending',
      'Init',
      'Completed',
      'Done',
      'Error',
      'WaitingSignatures',
      'Canceling',
      'Canceled',
    ] as const),
  ]),
  type: z.null(),
  ...{ folderId: Guid.nullable(), subscriptionId: Guid, agentId: Guid },
  ...{ totalDocumentsCount: z.int(), initializedCount: z.int(), completedCount: z.int() },
});
export const CreatedMarksSession = z.object({ id: Guid, embedUrl: z.url() });
export const MarksSession = z.object({
  id: Guid,
  files: z.array(z.object({ id: Guid, location: z.string() })),
  data: z.object({
    flowActions: z.array(
      z.object({ type: z.enum(['Signer', 'Approver', 'SignRule']), prePositionedMarks: z.array(Mark) }),
    ),
  }),
});
export const OrganizationUser = z.object({
  ...{ id: Guid, name: z.string(), email: z.string(), identifier: Text },
  accessProfile: z.object({ administrator: z.boolean(), manager: z.boolean(), operator: z.boolean() }),
});

const Finding = z.object({ type: z.string(), message: z.string(), detail: Text.optional() });
const Evidences = z.object({
  ipAddress: z.string(),
  authenticationTypes: z.array(
    z.enum([
      ...(['SMS', 'AuthenticatorApp', 'Email', 'Login', 'Application', 'Selfie', 'Datavalid'] as const),
      ...(['Pix', 'AccessCode', 'Whatsapp', 'Liveness', 'IdScan'] as const),
    ]),
  ),
  ...{ accountVerifiedEmail: Text, authenticatedEmail: Text },
  ...{ authenticatedPhoneNumber: Text, authenticatedPhoneNumberLastDigits: Text },
  authenticatedApplication: Named.extend({ organizationName: z.string() }).nullable(),
  ...{ authenticatedSelfie: z.null(), authenticatedPix: z.null() },
  livenessData: z.object({ sessionId: Guid }).nullable(),
  geolocation: z
    .object({ latitude: z.number(), longitude: z.number(), accuracy: z.number().nullable() })
    .nullable(),
  timestamp: Moment,
  evidencesSha256: z.base64(),
  file: z.base64().nullable(),
  fileTicket: z.null(),
});
const Signer = z.object({
  ...{ subjectName: Text, emailAddress: Text, issuerName: Text, identifier: Text },
  ...{ companyName: Text, companyIdentifier: Text, isElectronic: z.boolean(), isTimestamp: z.boolean() },
  ...{ signingTime: Moment.nullable(), certificateThumbprint: z.base64().nullable() },
  evidences: Evidences.nullable(),
  attributeCertificates: z.array(z.object({ details: z.string(), issuer: z.string() })),
  validationResults: z.object({
    ...{ passedChecks: z.array(Finding), errors: z.array(Finding), warnings: z.array(Finding) },
    isValid: z.boolean(),
  }),
});
export const SignaturesInfo = z.object({
  ...{ id: Guid, name: z.string(), filename: z.string(), mimeType: z.string(), createdBy: Named },
  ...{ isConcluded: z.boolean(), isFile: z.boolean(), isEnvelope: z.boolean() },
  ...{ creationDate: Moment, updateDate: Moment, status: Status, type: z.null() },
  signers: z.array(Signer),
});
