import * as z from 'zod';
import { DOCUMENT_STATUSES, PartModel } from '../documents.ts';
import { ACTION_ID, DOCUMENT_ID, MARK } from '../examples.ts';
import { ACTION_TYPES, HOLDER_TYPES } from '../flows/flow-actions.ts';
import { MARK_TYPES, MarkModel } from '../marks.ts';
import { BrandingModel } from '../organization/branding.ts';

const PartStatus = z
  .enum(['Created', 'Pending', 'Completed', 'Refused', 'NotNeeded'])
  .describe(
    'Of one person. NotNeeded: others of the same rule have ended the action, or the document is open no more.',
  );

/** The contents of the page at an action URL. */
export const ActionDetails = z
  .object({
    id: z.string(),
    name: z.string(),
    filename: z.string(),
    mimeType: z.string().describe('Of what GET …/content answers.'),
    fileSize: z.int(),
    parts: z
      .array(PartModel.pick({ name: true, startPage: true, pages: true }))
      .describe('The files of an envelope, in their order. Otherwise empty.'),
    status: z.enum(DOCUMENT_STATUSES),
    description: z.string().nullable(),
    expirationDate: z.iso.datetime().nullable(),
    hasSignature: z.boolean(),
    verificationCode: z
      .string()
      .nullable()
      .describe(
        'The code by which anyone verifies the signed file; null while there is none to be relied on.',
      ),
    awaitsSeal: z
      .boolean()
      .describe(
        'Whether everybody has acted, and the electronic signatures are not in the file yet: it is sealed next.',
      ),
    organizationName: z.string().nullable(),
    branding: BrandingModel.nullable(),
    action: z.object({
      id: z.string(),
      type: z.enum(ACTION_TYPES),
      kind: z.enum(['signature', 'approval']),
      title: z.string().nullable(),
      status: PartStatus,
      canAct: z.boolean().describe('Whether the document waits for this person now.'),
      electronic: z
        .object({
          codes: z
            .array(
              z.object({
                factor: z.enum(['Email', 'SMS', 'AuthenticatorApp', 'Liveness']),
                to: z.string().nullable(),
              }),
            )
            .describe(
              'The factors that the person has to pass. Where a code is sent to, masked; null for one of an app.',
            ),
        })
        .nullable()
        .describe('There: the person may sign without a certificate.'),
      requiredCompanyIdentifier: z.string().nullable(),
      requiredCertificateTypeToSign: z.string().nullable(),
      requiredCertificateHolderTypeToSign: z.enum(HOLDER_TYPES).nullable(),
      refusalEndsFlow: z
        .boolean()
        .describe(
          'Whether a refusal of this person ends the flow; others of a rule may be enough without them.',
        ),
      person: z.object({
        name: z.string(),
        identifier: z.string().nullable().describe('The CPF, masked.'),
        email: z.string().nullable().describe('The same as `emailAddress`.'),
        emailAddress: z.string().nullable(),
      }),
    }),
    marks: z
      .array(
        MarkModel.extend({
          origin: z
            .literal('UpperLeft')
            .optional()
            .describe('There: `x` and `y` are from the upper left corner of the page to that of the mark.'),
          type: z.enum(MARK_TYPES).optional().describe('There: it is not the signature itself.'),
          name: z.string().describe('Of the person, or of the rule.'),
          kind: z.enum(['signature', 'approval']),
          isYours: z.boolean().describe('Whether this person acts there.'),
        }),
      )
      .describe('The places of a PDF at which signatures and approvals are still to come.'),
    participants: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['signature', 'approval']),
        step: z.int(),
        status: PartStatus,
        certificateHolderName: z
          .string()
          .nullable()
          .describe('Of the certificate that signed; null without one, or where it has the same name.'),
        rule: z
          .object({ id: z.string(), name: z.string().nullable(), required: z.int() })
          .nullable()
          .describe('The rule that the part belongs to: of its people, `required` are enough.'),
      }),
    ),
  })
  .meta({
    description: 'The document, the action of the person and the other participants.',
    examples: [
      {
        id: DOCUMENT_ID,
        name: 'contract',
        filename: 'contract.pdf',
        mimeType: 'application/pdf',
        fileSize: 48_213,
        parts: [],
        status: 'Pending',
        description: null,
        expirationDate: null,
        hasSignature: false,
        verificationCode: null,
        awaitsSeal: false,
        organizationName: 'Sandbox Organization',
        branding: { displayName: 'Sandbox Organization', logoUrl: null, color: null },
        action: {
          id: ACTION_ID,
          type: 'Signer',
          kind: 'signature',
          title: null,
          status: 'Pending',
          canAct: true,
          electronic: { codes: [{ factor: 'Email', to: 'a•••@sandbox.example' }] },
          requiredCompanyIdentifier: null,
          requiredCertificateTypeToSign: null,
          requiredCertificateHolderTypeToSign: null,
          refusalEndsFlow: true,
          person: {
            name: 'Ana Souza',
            identifier: '***.982.247-**',
            email: 'ana@sandbox.example',
            emailAddress: 'ana@sandbox.example',
          },
        },
        marks: [{ ...MARK, name: 'Ana Souza', kind: 'signature', isYours: true }],
        participants: [
          {
            ...{ name: 'Ana Souza', kind: 'signature', step: 1 },
            ...{ status: 'Pending', certificateHolderName: null, rule: null },
          },
        ],
      },
    ],
  });
export type ActionDetails = z.output<typeof ActionDetails>;
