import * as z from 'zod';
import { takesNeutral } from '../../../shared/http/unknown-fields.ts';
import { LANGUAGES } from '../../../shared/ui/languages.ts';
import { DOCUMENT_ID, FOLDER_ID, SIGNER_REQUEST, UPLOAD_ID } from './examples.ts';
import { line, MediaType, orNull, text } from './fields.ts';
import { Flow, type FlowActionRequest } from './flows/flow-actions.ts';
import { MAX_OBSERVERS, ObserverRequest } from './flows/observers.ts';
import { XmlNamespace } from './flows/xades-options.ts';
import { MarkRequest } from './marks.ts';

// A document with its flow is one item of the table, which holds 400 KB.
const MAX_PEOPLE = 500;
const MAX_TAGS = 50;
const MAX_NOTIFIED = 50;
const MAX_VALUES = 500;
// Files, and an attachment of its own for each: one write takes them all.
const MAX_TAKEN = 90;

/** Files and attachments of one call are taken in one write of at most 100 items. */
export const MAX_FILES = 50;

export const FileRef = z
  .object({
    id: z.uuid().describe('Of an upload.'),
    displayName: orNull(line(255)),
    name: orNull(line(255)),
    contentType: orNull(MediaType),
  })
  .meta({
    description: 'A file of an upload, with the name that the document shows.',
    examples: [
      { id: UPLOAD_ID, displayName: 'contract', name: 'contract.pdf', contentType: 'application/pdf' },
    ],
  });

const AttachmentRef = FileRef.extend({
  isPrivate: z
    .boolean()
    .nullish()
    .describe('`true`: for the organization alone, and not for the participants of the flow.'),
});

const Tag = z.union([
  line(100).transform((label) => ({ label, value: null, color: null })),
  z
    .object({ label: orNull(line(100)), value: orNull(line(200)), color: orNull(line(30)) })
    .refine(({ label, value }) => label !== null || value !== null, 'has neither label nor value'),
]);

// The year has four digits wherever a client shows it in its own time zone.
const LAST_YEAR = '9998';

const Deadline = z
  .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], 'is not a date')
  .refine((value) => value.slice(0, 4) <= LAST_YEAR, 'is too far away');

/** Refuses a flow that is too long for one item. @example shape.superRefine(limitPeople) */
export function limitPeople(
  { flowActions }: { readonly flowActions: readonly z.output<typeof FlowActionRequest>[] },
  context: z.RefinementCtx,
): void {
  const people = flowActions.reduce(
    (sum, { signRuleUsers }) => sum + Math.max(1, signRuleUsers?.length ?? 0),
    0,
  );
  const message = `name more than ${MAX_PEOPLE} people`;
  if (people > MAX_PEOPLE) context.addIssue({ code: 'custom', path: ['flowActions'], message });
}

const Values = (maxKey: number, maxValue: number) =>
  z
    .record(z.string().min(1).max(maxKey), z.string().max(maxValue).nullable())
    .nullish()
    .transform((values) =>
      Object.fromEntries(
        Object.entries(values ?? {}).filter((entry): entry is [string, string] => entry[1] !== null),
      ),
    )
    .refine((values) => Object.keys(values).length <= MAX_VALUES, `have more than ${MAX_VALUES} values`);

/** Other platforms take an object here. One without values is what their clients send by default. */
const AdditionalInfo = z
  .union([
    orNull(text()),
    z.object({
      fields: Values(400, 4_000).describe('By the names of form fields in the PDF, which get these values.'),
      metadata: Values(100, 1_000).describe('Written to the document information of the PDF.'),
    }),
  ])
  .transform((info) =>
    typeof info === 'object' && info && Object.keys({ ...info.fields, ...info.metadata }).length === 0
      ? null
      : info,
  )
  .describe(
    'A text that is kept and shown; or values that are written into the PDF before anybody signs it.',
  );

const NoInvitations = z
  .boolean()
  .nullish()
  .describe('`true`: nobody is told by mail that it is their turn. A reminder can still be sent.');

const NoMail = z.boolean().nullish().describe('`true`: the document sends no mail at all.');

/** The fields of every call that creates documents, beside their files. */
export const CREATION_FIELDS = {
  flowActions: Flow,
  xmlNamespaces: z
    .array(XmlNamespace)
    .max(50)
    .nullish()
    .describe('The prefixes in the paths of `xadesOptions`.'),
  attachments: z.array(AttachmentRef).max(20).nullish(),
  folderId: orNull(z.uuid()),
  newFolderName: orNull(line()).describe('Made in `folderId`, or at the root, to hold the documents.'),
  description: orNull(text()),
  additionalInfo: AdditionalInfo,
  observers: z.array(ObserverRequest).max(MAX_OBSERVERS).nullish(),
  notifiedEmails: z
    .array(z.email().max(254))
    .max(MAX_NOTIFIED)
    .nullish()
    .describe('Receive a mail with a link to the file when the document is concluded.'),
  disablePendingActionNotifications: NoInvitations,
  disableNotifications: NoMail,
  forceCadesSignature: z.boolean().nullish(),
  tags: z.array(Tag).max(MAX_TAGS).nullish(),
  language: orNull(z.enum(LANGUAGES)).describe(
    'Of the mail about the document, and of its pages as links open them; whoever reads a page can choose another. Left out: that of the organization.',
  ),
  expirationDate: orNull(Deadline).describe('A day, which ends in Brasília, or a moment.'),
};

const EnvelopeName = orNull(line(255)).describe('Of an envelope. Left out: the name of its first file.');

/** Options of other platforms whose default changes nothing. */
export const NEUTRAL_OPTIONS = { signatureType: ['None'], templateFieldValues: [{}] };

export const CreateDocuments = takesNeutral(
  z
    .object({
      files: z
        .array(FileRef)
        .min(1)
        .max(MAX_FILES)
        .describe('Each becomes a document with the same flow, unless they are an envelope.'),
      isEnvelope: z
        .boolean()
        .nullish()
        .describe('`true`: the files, all of them PDFs, become one document in their order.'),
      envelopeName: EnvelopeName,
      ...CREATION_FIELDS,
    })
    .superRefine(({ isEnvelope, envelopeName }, context) => {
      const message = 'is for an envelope: send isEnvelope with it';
      if (envelopeName !== null && !isEnvelope)
        context.addIssue({ code: 'custom', path: ['envelopeName'], message });
    })
    .superRefine(({ files, attachments, isEnvelope }, context) => {
      // A file belongs to one document, and goes when that is deleted. So every document gets a copy.
      const attached = attachments?.length ?? 0;
      const taken = isEnvelope ? files.length + attached : files.length * (1 + attached);
      const message = `are more than ${MAX_TAKEN} with the files, each of which gets its own`;
      if (taken > MAX_TAKEN && files.length > 1)
        context.addIssue({ code: 'custom', path: ['attachments'], message });
    })
    .superRefine(limitPeople)
    .meta({
      description: 'The files, and the flow that each document goes through.',
      examples: [
        {
          files: [
            { id: UPLOAD_ID, displayName: 'contract', name: 'contract.pdf', contentType: 'application/pdf' },
          ],
          flowActions: [SIGNER_REQUEST],
          folderId: FOLDER_ID,
          tags: ['contract'],
          language: 'pt-BR',
        },
      ],
    }),
  NEUTRAL_OPTIONS,
);
export type CreateDocuments = z.output<typeof CreateDocuments>;

const CREATED = { uploadId: UPLOAD_ID, documentId: DOCUMENT_ID, attachments: [] };

export const CreatedDocument = z
  .object({
    uploadId: z.string(),
    documentId: z.string(),
    attachments: z.array(z.object({ uploadId: z.string(), attachmentId: z.string() })),
  })
  .meta({ description: 'The document that an upload became.', examples: [CREATED] });

export const CreatedDocuments = z.array(CreatedDocument).meta({
  description: 'The document that each upload became.',
  examples: [[CREATED]],
});

const VersionMarks = z.object({
  flowActionId: line(),
  prePositionedDocumentMarks: z.array(MarkRequest).max(50).nullish(),
});

const VERSION_FIELDS = {
  flowActions: Flow.nullish().describe('Left out, the flow begins again as it was.'),
  prePositionedMarks: z
    .array(VersionMarks)
    .max(100)
    .nullish()
    .describe('Marks of the flow as it was, in place of those that the actions had.'),
  additionalInfo: AdditionalInfo,
  disablePendingActionNotifications: NoInvitations,
};

export const NewVersion = z.object({ file: FileRef, ...VERSION_FIELDS }).meta({
  description: 'The file that replaces the one of the document, and the flow if it changes.',
  examples: [{ file: { id: UPLOAD_ID, name: 'contract-2.pdf', contentType: 'application/pdf' } }],
});
export type NewVersion = z.output<typeof NewVersion>;

export const NewEnvelopeVersion = z
  .object({
    files: z.array(FileRef).min(1).max(MAX_FILES).describe('All of them, also those that stay as they were.'),
    envelopeName: orNull(line(255)).describe('Left out, the name stays.'),
    ...VERSION_FIELDS,
  })
  .meta({
    description: 'The files that replace those of an envelope, and the flow if it changes.',
    examples: [
      {
        files: [
          { id: UPLOAD_ID, displayName: 'contract', name: 'contract-2.pdf', contentType: 'application/pdf' },
        ],
      },
    ],
  });
export type NewEnvelopeVersion = z.output<typeof NewEnvelopeVersion>;
