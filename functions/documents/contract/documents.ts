import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { ACTION_TYPES, HOLDER_TYPES } from '../domain/flow/flow.ts';
import { MarkModel } from './create-document.ts';
import {
  DOCUMENT,
  DOCUMENT_ID,
  FLOW_ACTION,
  FOLDER_INFO,
  LISTED_DOCUMENT,
  ORGANIZATION,
} from './examples.ts';
import { AgentModel, NamedModel, PersonModel, text } from './people.ts';

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

const CompletedPart = PersonModel.extend({
  date: z.iso.datetime(),
  certificate: z
    .object({ subject: z.string(), issuer: z.string(), sha256: z.string() })
    .nullable()
    .describe('What signed; null for an approval.'),
});

export const FlowActionModel = z
  .object({
    id: z.string(),
    type: z.enum(ACTION_TYPES),
    status: z.enum(['Created', 'Pending', 'Completed', 'Refused']),
    step: z.int(),
    title: z.string().nullable(),
    user: PersonModel.nullable().describe('Null for a rule.'),
    ruleName: z.string().nullable(),
    numberRequiredSignatures: z.int().nullable().describe('Null but for a rule.'),
    signRuleUsers: z.array(PersonModel),
    requiredCompanyIdentifier: z.string().nullable(),
    requiredCertificateTypeToSign: z.string().nullable(),
    requireCompanyCertificate: z.boolean(),
    requiredCertificateHolderTypeToSign: z.enum(HOLDER_TYPES).nullable(),
    prePositionedMarks: z.array(MarkModel),
    pendingDate: z.iso.datetime().nullable().describe('Since when it waits for somebody.'),
    completedBy: z.array(CompletedPart),
    refusalReason: z.string().nullable(),
  })
  .meta({
    description: 'One action of the flow of a document, with who has completed it.',
    examples: [FLOW_ACTION],
  });

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

/** What lists show of a document. */
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
    createdBy: AgentModel,
    description: z.string().nullable(),
    tags: z.array(
      z.object({ label: z.string(), value: z.string().nullable(), color: z.string().nullable() }),
    ),
    flowActions: z.array(FlowActionModel),
  })
  .meta({ description: 'A document as lists show it.', examples: [LISTED_DOCUMENT] });

export const DocumentModel = DocumentListItem.extend({
  checksumMd5: z.string(),
  isDeleted: z.boolean(),
  organization: OrganizationInfo.nullable().describe('Null for a personal document.'),
  additionalInfo: z.string().nullable(),
  forceCadesSignature: z.boolean(),
  isScanned: z.boolean(),
  isEnvelope: z.boolean(),
  statusUpdatedBy: AgentModel.nullable(),
  statusUpdateReason: z.string().nullable(),
  observers: z.array(
    z.object({
      name: z.string(),
      email: z.string().describe('The same as `emailAddress`.'),
      emailAddress: z.string(),
      identifier: z.string().nullable(),
    }),
  ),
  attachments: z.array(
    z.object({
      id: z.string(),
      displayName: z.string(),
      name: z.string(),
      contentType: z.string(),
      size: z.int(),
    }),
  ),
  notifiedEmails: z.array(z.string()).describe('None: a creation that names some is refused.'),
  permissions: z.object({
    move: z.boolean(),
    editFlow: z.boolean().describe('Always false: a flow is not edited. A new version begins another.'),
  }),
}).meta({ description: 'A document with its flow, observers and attachments.', examples: [DOCUMENT] });

export const Reason = z.object({ reason: text(512).min(1) }).meta({
  description: 'Why it is done. Kept with the document.',
  examples: [{ reason: 'The contract was replaced by another one.' }],
});
