import * as z from 'zod';
import { takesNeutral } from '../../../shared/http/unknown-fields.ts';
import { pathId } from '../../../shared/http/validate.ts';
import { CREATION_FIELDS, FileRef, limitPeople } from './create-document.ts';
import {
  AGENT,
  DOCUMENT_ID,
  FOLDER_ID,
  ORGANIZATION_ID,
  SIGNER_REQUEST,
  UPDATED,
  UPLOAD_ID,
} from './examples.ts';
import { line, orNull } from './fields.ts';
import { Flow } from './flows/flow-actions.ts';
import { caseInsensitive, Paging } from './lists.ts';

const GENERATION_ID = 'b7a1d0de-3c44-4b43-9a55-6f1f0a3e8c21';
const TABLE_ID = '1d7c3f52-64ab-4c0e-9b1f-0a8e5d2c7f36';

// Read by the contract of each line, once its values are in it.
const Pattern = z.record(z.string(), z.unknown());

const { observers, notifiedEmails, description, tags, language } = CREATION_FIELDS;
const { folderId, newFolderName, expirationDate } = CREATION_FIELDS;
const { disableNotifications, disablePendingActionNotifications } = CREATION_FIELDS;

const GenerationFields = z
  .object({
    templateFile: FileRef.describe(
      'An upload: a PDF, whose form fields get the values of the columns of the same names; or a text in UTF-8 that names columns, which becomes a PDF.',
    ),
    dataFile: FileRef.describe(
      'An upload: CSV with the names of the columns in its first line, and up to 5,000 lines below it. Each becomes a document.',
    ),
    flowActions: z
      .array(Pattern)
      .min(1)
      .max(100)
      .describe(
        'As POST /api/documents takes them. Any text in them may name columns: `{{name}}` is the value of the column `name` in the line.',
      ),
    observers: z.array(Pattern).max(50).nullish().describe('As there, with names of columns.'),
    notifiedEmails: z
      .array(z.string().max(300))
      .max(50)
      .nullish()
      .describe('As there, with names of columns.'),
    documentName: orNull(line(255)).describe('May name columns. Left out: the name of the template.'),
    description,
    tags: z
      .array(z.union([z.string().max(300), Pattern]))
      .max(50)
      .nullish()
      .describe('As there, with names of columns.'),
    language,
    ...{ folderId, newFolderName, expirationDate, disableNotifications, disablePendingActionNotifications },
    organizationId: orNull(z.uuid()).describe('Left out: that of the folder, or the first of the key.'),
  })
  .meta({
    description: 'A template, the people, and the flow of the document that each of them gets.',
    examples: [
      {
        templateFile: { id: UPLOAD_ID, displayName: 'contract', name: 'contract.pdf' },
        dataFile: { id: TABLE_ID, name: 'people.csv' },
        documentName: 'Contract of {{name}}',
        flowActions: [
          { type: 'Signer', user: { name: '{{name}}', identifier: '{{cpf}}', emailAddress: '{{email}}' } },
        ],
        folderId: FOLDER_ID,
      },
    ],
  });
// Java clients have a method `isValid` of this model, which their serializer takes for a field.
export const CreateGeneration = takesNeutral(GenerationFields, { valid: [true] });
export type CreateGeneration = z.output<typeof CreateGeneration>;

export const GeneratedDocument = z
  .object({ documentName: line(255), flowActions: Flow, observers, notifiedEmails, description, tags })
  .superRefine(limitPeople)
  .meta({
    description: 'A line of a generation, with its values in the place of the names of columns.',
    examples: [{ documentName: 'Contract of Ana Souza', flowActions: [SIGNER_REQUEST] }],
  });
/** What a line asks for. */
export type PeopleOfLine = z.output<typeof GeneratedDocument>;

export const GenerationParams = z.object({
  id: pathId().meta({ description: 'The id of the generation.', examples: [GENERATION_ID] }),
});

export const GENERATION_STATUSES = [
  'Pending',
  'Init',
  'Completed',
  'Done',
  'Error',
  'Canceling',
  'Canceled',
] as const;

const GENERATION = {
  ...{ id: GENERATION_ID, status: 'Init', type: null, folderId: FOLDER_ID, subscriptionId: ORGANIZATION_ID },
  agentId: AGENT.id,
  ...{ totalDocumentsCount: 5_000, initializedCount: 1_200, completedCount: 1_188, failedCount: 12 },
  ...{ filledFields: ['name', 'salary'], ignoredColumns: ['notes'] },
  ...{ creationDate: UPDATED, updateDate: UPDATED },
} as const;

export const GenerationModel = z
  .object({
    id: z.string(),
    status: z
      .enum(GENERATION_STATUSES)
      .describe(
        'Completed: every line became a document. Done: some did, the others were refused. Error: none did. Whether the documents are signed is in their own status.',
      ),
    type: z.null(),
    folderId: z.string().nullable(),
    subscriptionId: z.string().describe('The organization.'),
    agentId: z.string().describe('The application that asked for it.'),
    totalDocumentsCount: z.int().describe('Lines of the data file, without the first and blank ones.'),
    initializedCount: z.int().describe('Lines that were worked through.'),
    completedCount: z.int().describe('Lines that became documents.'),
    failedCount: z.int().describe('Lines that were refused, see `/errors`.'),
    filledFields: z.array(z.string()).describe('The form fields of the template that have a column.'),
    ignoredColumns: z
      .array(z.string())
      .describe('The columns that neither the template nor the request uses.'),
    creationDate: z.iso.datetime(),
    updateDate: z.iso.datetime(),
  })
  .meta({
    description: 'A generation of documents and how far it is. The counts are those of its last checkpoint.',
    examples: [GENERATION],
  });

export const GenerationsQuery = caseInsensitive(
  Paging.pick({ limit: true }).extend({
    organizationId: z.string().max(64).optional().describe('Left out, the first that the key is scoped to.'),
  }),
);

export const Generations = z
  .object({ items: z.array(GenerationModel) })
  .meta({ description: 'The newest generations.', examples: [{ items: [GENERATION] }] });

export const GenerationPageQuery = caseInsensitive(Paging.pick({ limit: true, offset: true }));

export const GenerationErrors = z
  .object({
    items: z.array(
      z.object({
        line: z.int().describe('Of the data file, from 1: the first line below the names of columns is 2.'),
        code: z.string().describe('As POST /api/documents would answer it.'),
        message: z.string(),
        details: z.record(z.string(), z.string()).nullable(),
      }),
    ),
    totalCount: z.int(),
  })
  .meta({
    description: 'A page of the refused lines, in their order.',
    examples: [
      {
        items: [
          {
            ...{ line: 7, code: 'InvalidRequest', message: 'The request is malformed.' },
            details: { field: 'flowActions.0.user.identifier', reason: 'is not a CPF' },
          },
        ],
        totalCount: 1,
      },
    ],
  });

export const GeneratedDocuments = z
  .object({
    items: z.array(
      z.object({
        row: z.int().describe('From 1. The first line and blank ones are not counted.'),
        documentId: z
          .string()
          .nullable()
          .describe('Null for a row that was refused, or whose document is deleted.'),
      }),
    ),
    totalCount: z.int(),
  })
  .meta({
    description: 'A page of the rows that were worked through.',
    examples: [{ items: [{ row: 1, documentId: DOCUMENT_ID }], totalCount: 1 }],
  });
