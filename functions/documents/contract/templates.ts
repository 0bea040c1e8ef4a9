import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { LANGUAGES } from '../../../shared/ui/languages.ts';
import { CREATION_FIELDS, FileRef, MAX_FILES } from './create-document.ts';
import { AGENT, FOLDER_ID, UPDATED, UPLOAD_ID } from './examples.ts';
import { AuthorModel, line, orNull } from './fields.ts';
import { CreateGeneration } from './generation.ts';
import { caseInsensitive, Paging, pageOf } from './lists.ts';

const TEMPLATE_ID = '6e2b8f14-9c3d-4a57-b1e0-7d5a2c9f8e63';

const { flowActions, observers, notifiedEmails, tags } = CreateGeneration.shape;
const { folderId, newFolderName, description, language } = CREATION_FIELDS;
const { disableNotifications, disablePendingActionNotifications } = CREATION_FIELDS;

const CONTENT = {
  name: line(),
  flowActions: flowActions.describe(
    'As POST /api/documents takes them, with roles in the place of people: `{{tenant name}}` is a value that whoever uses the template gives.',
  ),
  observers,
  notifiedEmails,
  tags,
  documentName: orNull(line(255)).describe('May name values. Left out: the name of the file.'),
  description: description.describe('The message to the people of the flow. May name values.'),
  language: language.describe('Of the documents that are made of it. Left out: that of the organization.'),
  expiresAfterDays: z
    .int()
    .min(1)
    .max(3_650)
    .nullish()
    .transform((days) => days ?? null)
    .describe('The deadline: a document expires at the end of this day after its creation. Left out: never.'),
};

export const CreateTemplate = z.object(CONTENT).meta({
  description: 'A flow with roles, for documents to come.',
  examples: [
    {
      name: 'Lease',
      flowActions: [
        {
          type: 'Signer',
          user: { name: '{{tenant}}', identifier: '{{tenant CPF}}', email: '{{tenant e-mail}}' },
        },
      ],
      documentName: 'Lease of {{tenant}}',
      expiresAfterDays: 30,
    },
  ],
});
export type CreateTemplate = z.output<typeof CreateTemplate>;

export const UpdateTemplate = z
  .object({
    ...CONTENT,
    version: z.int().min(1).describe('The one that was read: a newer one is not replaced.'),
  })
  .meta({
    description: 'All that a template has, in the place of what it had.',
    examples: [
      { name: 'Lease', flowActions: [{ type: 'Signer', user: { name: '{{tenant}}' } }], version: 1 },
    ],
  });
export type UpdateTemplate = z.output<typeof UpdateTemplate>;

export const TemplateParams = z.object({
  id: pathId().meta({ description: 'The id of the template.', examples: [TEMPLATE_ID] }),
});

const LISTED = {
  ...{ id: TEMPLATE_ID, name: 'Lease', version: 1, values: ['tenant', 'tenant CPF'] },
  ...{ creationDate: UPDATED, updateDate: UPDATED, createdBy: AGENT },
};

export const TemplateModel = z
  .object({
    id: z.string(),
    name: z.string(),
    version: z.int().describe('Grows with every change.'),
    values: z.array(z.string()).describe('The names that whoever uses it gives values for.'),
    creationDate: z.iso.datetime(),
    updateDate: z.iso.datetime(),
    createdBy: AuthorModel,
  })
  .meta({ description: 'A template, as lists show it.', examples: [LISTED] });

export const TemplateQuery = caseInsensitive(
  z.object({
    version: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_000_000_000)
      .optional()
      .describe('As it was in this version. Left out, as it is.'),
  }),
);

const Pattern = z.record(z.string(), z.unknown());

export const TemplateDetails = TemplateModel.extend({
  flowActions: z.array(Pattern),
  observers: z.array(Pattern),
  notifiedEmails: z.array(z.string()),
  tags: z.array(z.union([z.string(), Pattern])),
  documentName: z.string().nullable(),
  description: z.string().nullable(),
  language: z.enum(LANGUAGES).nullable(),
  expiresAfterDays: z.int().nullable(),
  versions: z
    .array(
      z.object({
        version: z.int(),
        name: z.string(),
        date: z.iso.datetime(),
        by: AuthorModel,
      }),
    )
    .describe('Those that can be read, newest first: the present one, and up to 50 before it.'),
}).meta({
  description: 'A template with its flow, as it was sent.',
  examples: [
    {
      ...LISTED,
      flowActions: [{ type: 'Signer', user: { name: '{{tenant}}', identifier: '{{tenant CPF}}' } }],
      ...{ observers: [], notifiedEmails: [], tags: [] },
      ...{ documentName: 'Lease of {{tenant}}', description: null, language: null, expiresAfterDays: 30 },
      versions: [{ version: 1, name: 'Lease', date: UPDATED, by: AGENT }],
    },
  ],
});

export const TemplatesQuery = caseInsensitive(
  Paging.extend({
    organizationId: z.string().max(64).optional().describe('Left out, the first that the key is scoped to.'),
  }),
);

export const Templates = pageOf(TemplateModel).meta({
  description: 'One page of templates.',
  examples: [{ items: [LISTED], totalCount: 1, nextCursor: null }],
});

const DESTINATION = { folderId, newFolderName, disableNotifications, disablePendingActionNotifications };

export const UseTemplate = z
  .object({
    files: z
      .array(FileRef)
      .min(1)
      .max(MAX_FILES)
      .describe('Each becomes a document, unless they are an envelope.'),
    isEnvelope: z.boolean().nullish(),
    values: z
      .record(z.string().max(200), z.string().max(4_000))
      .describe('By the names that the template has.'),
    ...DESTINATION,
  })
  .meta({
    description: 'The files, and who has the roles of the template.',
    examples: [
      {
        files: [{ id: UPLOAD_ID, name: 'lease.pdf' }],
        values: { tenant: 'Ana Souza', 'tenant CPF': '52998224725' },
        folderId: FOLDER_ID,
      },
    ],
  });
export type UseTemplate = z.output<typeof UseTemplate>;

export const UseTemplateForMany = z
  .object({ templateFile: FileRef, dataFile: FileRef, ...DESTINATION })
  .meta({
    description:
      'The file that is filled for each line, and the lines: their columns have the names of the template.',
    examples: [
      { templateFile: { id: UPLOAD_ID, name: 'lease.pdf' }, dataFile: { id: FOLDER_ID, name: 'people.csv' } },
    ],
  });
export type UseTemplateForMany = z.output<typeof UseTemplateForMany>;
