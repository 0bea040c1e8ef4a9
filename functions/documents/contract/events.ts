import * as z from 'zod';
import { webhookModels } from '../../../shared/http/reference/webhooks.ts';
import {
  ACTION_ID,
  AGENT,
  DOCUMENT,
  FOLDER_INFO,
  ORGANIZATION,
  PARTICIPANT,
  PERSON,
  UPDATED,
  WEBHOOK_ID,
} from './examples.ts';
import { BillingInformation, OrganizationDetails } from './organization/organizations.ts';

// The bodies of the events that webhooks are sent (specification 3, part A).

const Time = z.iso.datetime();

const COMMON = {
  id: DOCUMENT.id,
  name: DOCUMENT.name,
  creationDate: DOCUMENT.creationDate,
  updateDate: UPDATED,
  folder: FOLDER_INFO,
  organization: ORGANIZATION,
  createdBy: { id: AGENT.id, name: AGENT.name },
};
const ACT = { flowActionId: ACTION_ID, date: UPDATED, userId: PERSON.id, ...PARTICIPANT };

export const EventFolder = z
  .object({
    id: z.string(),
    name: z.string(),
    parentId: z.string().nullable(),
    organizationName: z.string().nullable(),
  })
  .meta({ description: 'The folder of a document.', examples: [FOLDER_INFO] });

/** What every event says of a document. */
export const EventDocument = z
  .object({
    id: z.string(),
    name: z.string(),
    creationDate: Time,
    updateDate: Time,
    folder: EventFolder.nullable().describe('Null where it is in no folder.'),
    organization: OrganizationDetails.nullable().describe('Null for a personal document.'),
    createdBy: z.object({ id: z.string(), name: z.string() }),
  })
  .meta({ description: 'A document, as its events have it.', examples: [COMMON] });

/** Who completed an action of the flow, and when. */
export const EventAct = z
  .object({
    flowActionId: z.string(),
    date: Time,
    userId: z.string(),
    name: z.string(),
    identifier: z.string().nullable().describe('CPF.'),
    emailAddress: z.string().nullable(),
  })
  .meta({ description: 'Who signed or approved, and when.', examples: [ACT] });

const Refusal = EventAct.extend({
  flowActionId: z.string().nullable(),
  reason: z.string(),
}).describe(
  'Of a document that an application refused as a whole, `flowActionId`, `identifier` and `emailAddress` are null.',
);

const InvoiceTotal = z.object({
  transactionType: z.string(),
  price: z.number(),
  total: z.int(),
  totalInTrialPeriod: z.int(),
  value: z.number(),
});

const INVOICE = {
  ...{ id: 'c1f4a6b2-0d5e-4b0e-8d3a-5e2f7a9b4c30', month: 2, year: 2026, value: 25.5 },
  invoiceTotals: [{ transactionType: 'Document', price: 0.5, total: 51, totalInTrialPeriod: 0, value: 25.5 }],
  ...{ organization: ORGANIZATION, billingInformation: null, totalStorageUsed: 73_400_320 },
};

export const WEBHOOKS = webhookModels({
  DocumentsCreated: {
    when: 'Documents were created: one event names up to 100.',
    data: z.object({ documents: z.array(EventDocument) }),
    example: { documents: [COMMON] },
  },
  DocumentSigned: {
    when: 'A participant signed.',
    data: EventDocument.extend({ signature: EventAct }),
    example: { ...COMMON, signature: ACT },
  },
  DocumentApproved: {
    when: 'A participant approved.',
    data: EventDocument.extend({ approval: EventAct }),
    example: { ...COMMON, approval: ACT },
  },
  DocumentRefused: {
    when: 'A participant or an application refused.',
    data: EventDocument.extend({ refusal: Refusal }),
    example: { ...COMMON, refusal: { ...ACT, reason: 'The value is not the one agreed.' } },
  },
  DocumentConcluded: {
    when: 'Every action of the flow is completed.',
    data: EventDocument,
    example: COMMON,
  },
  DocumentCanceled: {
    when: 'A document was canceled.',
    data: EventDocument.extend({
      canceledBy: z.object({ id: z.string(), name: z.string(), type: z.enum(['User', 'Application']) }),
      reason: z.string().nullable(),
    }),
    example: { ...COMMON, canceledBy: AGENT, reason: 'Replaced by another contract.' },
  },
  DocumentExpired: {
    when: 'The expiration date came before the conclusion.',
    data: EventDocument.extend({ expirationDate: Time, expirationDateWithoutTime: z.iso.date() }),
    example: {
      ...COMMON,
      ...{ expirationDate: '2026-11-16T02:59:59.999Z', expirationDateWithoutTime: '2026-11-15' },
    },
  },
  DocumentDeleted: {
    when: 'Documents were deleted: at most 100 are named, even where more were.',
    data: z.object({
      documents: z.array(EventDocument),
      action: z.enum(['DeletedByUserOrApplication', 'DeletedByOrganization', 'DeletedByFolder']),
    }),
    example: { documents: [COMMON], action: 'DeletedByUserOrApplication' },
  },
  InvoiceClosed: {
    when: 'The invoice of a month was closed. Only the billing webhook of the instance is told.',
    data: z.object({
      id: z.string(),
      month: z.int(),
      year: z.int(),
      value: z.number().describe('In reais.'),
      invoiceTotals: z.array(InvoiceTotal).describe('By type of transaction.'),
      organization: OrganizationDetails,
      billingInformation: BillingInformation.nullable(),
      totalStorageUsed: z.int().describe('Bytes.'),
    }),
    example: INVOICE,
  },
  WebhookTest: {
    when: 'Somebody asked for a test of this webhook.',
    data: z.object({ webhookId: z.string(), date: Time, organization: OrganizationDetails }),
    example: { webhookId: WEBHOOK_ID, date: UPDATED, organization: ORGANIZATION },
  },
});
