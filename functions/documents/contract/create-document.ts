import * as z from 'zod';
import { CERTIFICATE_TYPES } from '../../../shared/pki/icp-brasil/types.ts';
import { ACTION_TYPES, HOLDER_TYPES } from '../domain/flow/flow.ts';
import { DOCUMENT_ID, FOLDER_ID, MARK, PARTICIPANT, SIGNER_REQUEST, UPLOAD_ID } from './examples.ts';
import { MediaType } from './media-type.ts';
import { Cnpj, given, line, Participant, text } from './people.ts';

// A document with its flow is one item of the table, which holds 400 KB.
const MAX_ACTIONS = 100;
const MAX_PEOPLE_A_RULE = 50;
const MAX_PEOPLE = 500;
const MAX_TAGS = 50;

/** Files and attachments of one call are taken in one write of at most 100 items. */
export const MAX_FILES = 50;

export const FileRef = z
  .object({
    id: z.uuid().describe('Of an upload.'),
    displayName: given(line(255)),
    name: given(line(255)),
    contentType: given(MediaType),
  })
  .meta({
    description: 'A file of an upload, with the name that the document shows.',
    examples: [
      { id: UPLOAD_ID, displayName: 'contract', name: 'contract.pdf', contentType: 'application/pdf' },
    ],
  });

// Thousandths of a point are finer than any paper.
const points = (least: number) =>
  z
    .number()
    .min(least)
    .max(20_000)
    .overwrite((value) => Math.round(value * 1000) / 1000);

export const MarkModel = z
  .object({
    page: z.int().min(1).max(100_000),
    x: points(0),
    y: points(0),
    width: points(10),
    height: points(10),
  })
  .meta({
    description: 'Where a signature is shown, in points from the lower left corner of the page.',
    examples: [MARK],
  });

type Asked = z.output<typeof Participant>;

// Who a person is to the flow: the id they get rests on it, and a holder signs once for each CPF.
const hasTwins = (people: readonly Asked[]): boolean =>
  [
    ({ id, identifier, email, emailAddress, name }: Asked) =>
      id ?? identifier ?? (emailAddress ?? email)?.toLowerCase() ?? name,
    ({ identifier }: Asked) => identifier,
  ].some((nameOf) => {
    const names = people.map(nameOf).filter((name) => name !== null);
    return new Set(names).size < names.length;
  });

export const FlowActionRequest = z
  .object({
    type: z.enum(ACTION_TYPES),
    step: z.int().min(1).max(1_000).default(1).describe('Actions of one step are open side by side.'),
    user: Participant.nullish(),
    numberRequiredSignatures: z.int().min(1).nullish(),
    ruleName: given(line()),
    signRuleUsers: z.array(Participant).max(MAX_PEOPLE_A_RULE).nullish(),
    title: given(line()),
    prePositionedMarks: z.array(MarkModel).max(1).nullish(),
    requiredCertificateTypeToSign: given(z.enum(CERTIFICATE_TYPES)).describe(
      'Only a certificate of this type of ICP-Brasil signs.',
    ),
    requireCompanyCertificate: z
      .boolean()
      .nullish()
      .describe('The same as the holder type `Company`, which is the newer way to ask for it.'),
    requiredCertificateHolderTypeToSign: given(z.enum(HOLDER_TYPES)).describe(
      'Only a certificate of a company (e-CNPJ), or only one of a person (e-CPF), signs.',
    ),
    requiredCompanyIdentifier: given(Cnpj),
  })
  .superRefine((action, context) => {
    const isRule = action.type.endsWith('Rule');
    const wrong = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    const people = action.signRuleUsers?.length ?? 0;
    if (!isRule && !action.user) wrong('user', 'is required');
    if (isRule && people === 0) wrong('signRuleUsers', 'is required');
    if (isRule && hasTwins(action.signRuleUsers ?? []))
      wrong('signRuleUsers', 'names one person twice: tell people apart by identifier, email or id');
    if (isRule && (action.numberRequiredSignatures ?? 1) > people)
      wrong('numberRequiredSignatures', 'is more than the people of the rule');
    const wantsCompany = action.requireCompanyCertificate || action.requiredCompanyIdentifier !== null;
    if (wantsCompany && action.requiredCertificateHolderTypeToSign === 'Individual')
      wrong('requiredCertificateHolderTypeToSign', 'is a person, and the action asks for a company too');
  })
  .meta({
    description:
      'One action of a flow: a person signs or approves, or a rule asks for some of several people.',
    examples: [
      SIGNER_REQUEST,
      {
        type: 'SignRule',
        step: 1,
        ruleName: 'Directors',
        numberRequiredSignatures: 1,
        signRuleUsers: [
          PARTICIPANT,
          { name: 'Bruno Lima', identifier: '47363361886', emailAddress: 'bruno@sandbox.example' },
        ],
      },
    ],
  });

const Tag = z.union([
  line(100).transform((label) => ({ label, value: null, color: null })),
  z.object({ label: line(100), value: given(line(200)), color: given(line(30)) }),
]);

const Observer = z
  .object({
    name: line(),
    email: given(z.email().max(254)),
    emailAddress: given(z.email().max(254)),
    identifier: given(line(20)),
  })
  .transform(({ email, emailAddress, ...observer }, context) => {
    const address = emailAddress ?? email;
    if (address !== null) return { ...observer, emailAddress: address };
    context.addIssue({ code: 'custom', path: ['emailAddress'], message: 'is required' });
    return z.NEVER;
  });

// Of four digits in every calendar that will read it.
const LAST_YEAR = '9998';

const Deadline = z
  .union([z.iso.date(), z.iso.datetime({ offset: true, local: true })], 'is not a date')
  .refine((value) => value.slice(0, 4) <= LAST_YEAR, 'is too far away');

const peopleIn = (flow: readonly z.output<typeof FlowActionRequest>[]): number =>
  flow.reduce((sum, { signRuleUsers }) => sum + Math.max(1, signRuleUsers?.length ?? 0), 0);

export const Flow = z
  .array(FlowActionRequest)
  .min(1)
  .max(MAX_ACTIONS)
  .meta({
    description:
      'The actions of a flow. Steps follow one another; actions of one step are open side by side.',
    examples: [[SIGNER_REQUEST]],
  });

const NOTHING_SENT = z
  .boolean()
  .nullish()
  .describe('The platform sends participants no messages, whatever this says.');

export const CreateDocuments = z
  .object({
    files: z.array(FileRef).min(1).max(MAX_FILES).describe('Each becomes a document with the same flow.'),
    flowActions: Flow,
    attachments: z.array(FileRef).max(20).nullish(),
    isEnvelope: z.boolean().nullish(),
    folderId: given(z.uuid()),
    newFolderName: given(line()).describe('Made in `folderId`, or at the root, to hold the documents.'),
    description: given(text()),
    additionalInfo: given(text()),
    observers: z.array(Observer).max(50).nullish(),
    disablePendingActionNotifications: NOTHING_SENT,
    disableNotifications: NOTHING_SENT,
    forceCadesSignature: z.boolean().nullish(),
    tags: z.array(Tag).max(MAX_TAGS).nullish(),
    expirationDate: given(Deadline).describe('A day, which ends in Brasília, or a moment.'),
  })
  .superRefine(({ files, attachments, flowActions }, context) => {
    // A file belongs to one document, and goes when that is deleted.
    if (files.length > 1 && attachments?.length)
      context.addIssue({ code: 'custom', path: ['attachments'], message: 'go with one file a call' });
    if (peopleIn(flowActions) > MAX_PEOPLE)
      context.addIssue({
        code: 'custom',
        path: ['flowActions'],
        message: `name more than ${MAX_PEOPLE} people`,
      });
  })
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
      },
    ],
  });
export type CreateDocuments = z.output<typeof CreateDocuments>;

export const CreatedDocuments = z
  .array(
    z.object({
      uploadId: z.string(),
      documentId: z.string(),
      attachments: z.array(z.object({ uploadId: z.string(), attachmentId: z.string() })),
    }),
  )
  .meta({
    description: 'The document that each upload became.',
    examples: [[{ uploadId: UPLOAD_ID, documentId: DOCUMENT_ID, attachments: [] }]],
  });

export const NewVersion = z
  .object({
    file: FileRef,
    flowActions: Flow.nullish().describe('Left out, the flow begins again as it was.'),
  })
  .meta({
    description: 'The file that replaces the one of the document, and the flow if it changes.',
    examples: [{ file: { id: UPLOAD_ID, name: 'contract-2.pdf', contentType: 'application/pdf' } }],
  });
