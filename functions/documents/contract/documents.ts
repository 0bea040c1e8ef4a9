import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { LANGUAGES } from '../../../shared/ui/languages.ts';
import {
  DOCUMENT,
  DOCUMENT_ID,
  FOLDER_ID,
  FOLDER_INFO,
  LISTED_DOCUMENT,
  ORGANIZATION,
  PART,
} from './examples.ts';
import { AuthorModel, line, NamedModel, orNull, text } from './fields.ts';
import { FlowActionModel } from './flows/flow-actions.ts';
import { FlowEditModel } from './flows/flow-edit.ts';
import { ObserverModel } from './flows/observers.ts';
import { caseInsensitive, Paging, pageOf } from './lists.ts';
import { ActionUrlModel, MessageModel } from './mail.ts';

export const DocumentParams = z.object({
  id: pathId().meta({ description: 'The id of the document.', examples: [DOCUMENT_ID] }),
});

export const DOCUMENT_STATUSES = [
  'Pending',
  'FlowConcluded',
  'Concluded',
  'Refused',
  'Canceled',
  'Expired',
] as const;

export const FolderInfo = z
  .object({
    id: z.string(),
    name: z.string(),
    parentId: z.string().nullable(),
    organizationName: z.string().nullable(),
  })
  .meta({ description: 'The folder of a document.', examples: [FOLDER_INFO] });

export const OrganizationInfo = z
  .object({
    id: z.string(),
    name: z.string(),
    identifier: z.string().nullable(),
    owner: NamedModel,
  })
  .meta({ description: 'The organization of a document.', examples: [ORGANIZATION] });

/** A document as lists show it. */
export const DocumentListItem = z
  .object({
    id: z.string(),
    name: z.string(),
    filename: z.string(),
    fileSize: z.int(),
    mimeType: z.string(),
    hasSignature: z.boolean(),
    status: z.enum(DOCUMENT_STATUSES),
    isConcluded: z.boolean(),
    folder: FolderInfo.nullable(),
    creationDate: z.iso.datetime(),
    updateDate: z.iso.datetime(),
    expirationDate: z.iso.datetime().nullable(),
    expirationDateWithoutTime: z.iso.date().nullable(),
    createdBy: AuthorModel,
    description: z.string().nullable(),
    type: z.null().describe('Kinds of documents are not told apart.'),
    tags: z.array(
      z.object({
        id: z.string(),
        label: z.string().nullable(),
        value: z.string().nullable(),
        color: z.string().nullable(),
      }),
    ),
    flowActions: z.array(FlowActionModel),
  })
  .meta({ description: 'A document as lists show it.', examples: [LISTED_DOCUMENT] });

export const PartModel = z
  .object({
    uploadId: z.string(),
    name: z.string(),
    startPage: z.int().describe('The page of the envelope on which it begins, from 1.'),
    pages: z.int(),
    size: z.int().describe('Of the file as it was uploaded.'),
    sha256: z.string().describe('Of the file as it was uploaded.'),
  })
  .meta({ description: 'A file of an envelope.', examples: [PART] });

export const DocumentModel = DocumentListItem.extend({
  key: z.string().describe('The verification code, which is printed on the evidence of the document.'),
  checksumMd5: z.string(),
  isDeleted: z.boolean(),
  organization: OrganizationInfo.nullable().describe('Null for a personal document.'),
  additionalInfo: z
    .union([
      z.string(),
      z.object({
        fields: z.record(z.string(), z.string()),
        metadata: z.record(z.string(), z.string()),
      }),
    ])
    .nullable(),
  forceCadesSignature: z.boolean(),
  isScanned: z.boolean(),
  isEnvelope: z.boolean(),
  parts: z
    .array(PartModel)
    .describe('Of an envelope: the files that it was made of, in their order. Otherwise empty.'),
  statusUpdatedBy: AuthorModel.nullable(),
  statusUpdateReason: z.string().nullable(),
  hideDownloadOptionForPendingDocuments: z.literal(false),
  signatureType: z
    .literal('None')
    .describe('No kind of signature is asked for; every one is by certificate.'),
  securityContext: z.null(),
  language: z.enum(LANGUAGES).nullable().describe('Null: that of the organization.'),
  disableNotifications: z.boolean().describe('Nobody gets mail of it.'),
  disablePendingActionNotifications: z.boolean().describe('It sends no invitations.'),
  observers: z.array(ObserverModel),
  attachments: z.array(
    z.object({
      id: z.string(),
      displayName: z.string(),
      name: z.string().describe('Of the file; the same as `filename`.'),
      filename: z.string(),
      contentType: z.string().describe('The same as `mimeType`.'),
      mimeType: z.string(),
      size: z.int().describe('The same as `fileSize`.'),
      fileSize: z.int(),
      creationDate: z.iso.datetime(),
      updateDate: z.iso.datetime(),
      createdBy: AuthorModel,
      isPrivate: z.boolean().describe('Not for the participants of the flow, nor for observers.'),
    }),
  ),
  flowEdits: z.array(FlowEditModel).describe('The edits of the flow of this version, the oldest first.'),
  notifiedEmails: z.array(z.string()).describe('Who is told by mail when the document is concluded.'),
  changes: z
    .array(
      z.object({
        kind: z.enum(['Moved', 'Versioned']),
        date: z.iso.datetime(),
        by: AuthorModel,
        folderName: z
          .string()
          .nullable()
          .describe('Of `Moved`: as the folder was called; null for the root.'),
      }),
    )
    .describe('When it went to another folder or got a new file, oldest first. The last 50.'),
  messages: z.array(MessageModel).describe('The mail about this version of the document.'),
  actionUrls: z.array(ActionUrlModel).describe('The links to this version, by person and action.'),
  permissions: z.object({
    move: z.boolean(),
    editFlow: z.boolean().describe('Whether the flow can be edited: while the document is pending.'),
  }),
}).meta({ description: 'A document with its flow, observers and attachments.', examples: [DOCUMENT] });

export const Reason = z.object({ reason: text(512).min(1) }).meta({
  description: 'Why it is done. Kept with the document.',
  examples: [{ reason: 'The contract was replaced by another one.' }],
});

/** The filters by status. */
export const DOCUMENT_FILTERS = [
  'PendingOrRefused',
  'Concluded',
  'CanceledOrExpired',
  'Pending',
  'Refused',
  'Canceled',
  'Expired',
] as const;
export type DocumentFilter = (typeof DOCUMENT_FILTERS)[number];

const QUERY_TYPES = ['Name', 'Key', 'Id', 'CreatorName', 'Tag'] as const;
const PARTICIPANT_TYPES = ['Name', 'Identifier', 'Email', 'Phone'] as const;

const FILTERS = z.object({
  q: Paging.shape.q,
  organizationId: z.string().max(64).optional().describe('Left out, the first that the key is scoped to.'),
  folderId: z.string().max(64).optional().describe('Only those right in this folder.'),
  folderType: z
    .enum(['Normal', 'WithoutFolder'])
    .optional()
    .describe('`WithoutFolder`: only those at the root of the organization.'),
  organizationType: z
    .enum(['Normal', 'Personal', 'SharedWithMe'])
    .optional()
    .describe('`Personal`: none where the organization is a company. `SharedWithMe`: always none.'),
  status: z.enum(DOCUMENT_FILTERS).optional(),
  isConcluded: z
    .stringbool()
    .optional()
    .describe('The older way to ask for `status`: `true` for Concluded, `false` for Pending.'),
  isDeleted: z.stringbool().optional().describe('`true`: none, because deleted documents are gone.'),
  filterByPendingSignature: z
    .stringbool()
    .optional()
    .describe('`true`: only those that wait for a signature.'),
  waitingFor: z
    .string()
    .trim()
    .max(300)
    .optional()
    .describe(
      'Only those that wait now for a person, by e-mail address or CPF; several with commas between are one person.',
    ),
  queryType: z
    .enum(QUERY_TYPES)
    .optional()
    .describe(
      'Where `q` is looked for. `Id` and `Key` (the verification code) name one document. Left out: names and participants.',
    ),
  participantQ: z
    .string()
    .trim()
    .max(200)
    .optional()
    .describe('Only those with a participant who has this text.'),
  participantQueryType: z
    .enum(PARTICIPANT_TYPES)
    .optional()
    .describe('What of the participant `participantQ` is looked for in. Left out: anything.'),
  tags: z
    .string()
    .max(2_000)
    .optional()
    .describe(
      'Only those with all of these tags: `label|value`, or a value alone, with commas between. Ten count.',
    ),
  documentType: z
    .string()
    .max(64)
    .optional()
    .describe('None has a type: with `filterByDocumentType` nothing is found.'),
  filterByDocumentType: z.stringbool().optional(),
});

/** What documents of a list must have. */
export type DocumentsFilter = z.output<typeof FILTERS>;

export const DocumentsQuery = caseInsensitive(Paging.extend(FILTERS.shape));

export const Documents = pageOf(DocumentListItem).meta({
  description: 'One page of documents.',
  examples: [{ items: [LISTED_DOCUMENT], totalCount: 1, nextCursor: null }],
});

const DESTINATION = {
  folderId: orNull(z.uuid()).describe('None: the root of the organization.'),
  newFolderName: orNull(line()).describe('Made in `folderId`, or at the root, to hold what is moved.'),
};

export const MoveDocument = z
  .object(DESTINATION)
  .meta({ description: 'The folder that the document goes to.', examples: [{ folderId: FOLDER_ID }] });
export type MoveDocument = z.output<typeof MoveDocument>;

export const MoveDocuments = z
  .object({ documents: z.array(z.string().min(1).max(64)).min(1).max(100), ...DESTINATION })
  .meta({
    description: 'Documents, and the folder that they go to.',
    examples: [{ documents: [DOCUMENT_ID], folderId: FOLDER_ID }],
  });
export type MoveDocuments = z.output<typeof MoveDocuments>;

const MOVED = { id: DOCUMENT_ID, success: true, errorCode: null, errorMessage: null };

export const MovedDocuments = z
  .array(
    z.object({
      id: z.string(),
      success: z.boolean(),
      errorCode: z.string().nullable(),
      errorMessage: z.string().nullable().describe('Why this one was not moved.'),
    }),
  )
  .meta({ description: 'What became of each document, in the order of the request.', examples: [[MOVED]] });
