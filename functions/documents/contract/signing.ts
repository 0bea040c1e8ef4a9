import * as z from 'zod';
import { VALIDATION_ITEM_TYPES } from '../../../shared/pki/findings/validation-results.ts';
import { DOCUMENT_STATUSES } from './documents.ts';
import { Cpf, line, orNull, text } from './fields.ts';
import { ACTION_TYPES, HOLDER_TYPES, MarkModel } from './flow-actions.ts';
import { caseInsensitive } from './lists.ts';

export const ValidationItemModel = z.object({
  type: z.enum(VALIDATION_ITEM_TYPES),
  message: z.string(),
  detail: z.string().optional(),
  get innerValidationResults() {
    return z.optional(ValidationResultsModel);
  },
});

export const ValidationResultsModel = z.object({
  isValid: z.boolean(),
  passedChecks: z.array(ValidationItemModel),
  errors: z.array(ValidationItemModel),
  warnings: z.array(ValidationItemModel),
});

export const KeyParams = z.object({
  key: z.string().min(1).max(200).describe('Of a document, out of an action URL.'),
});

const Ticket = z.string().min(1).max(200).describe('Out of an action URL.');

export const TicketQuery = caseInsensitive(z.object({ ticket: Ticket }));

export const TicketContentQuery = caseInsensitive(
  z.object({
    ticket: Ticket,
    type: z
      .enum(['Original', 'Signatures'])
      .optional()
      .describe(
        'Left out: the newest file that a person can read. A CAdES signature is none; its content is.',
      ),
  }),
);

const PERSON_FIELDS = {
  identifier: orNull(Cpf),
  emailAddress: orNull(z.email().max(254)),
};

const namesPerson = ({
  identifier,
  emailAddress,
}: {
  identifier: string | null;
  emailAddress: string | null;
}) => identifier !== null || emailAddress !== null;

export const ActionUrlRequest = z
  .object(PERSON_FIELDS)
  .refine(namesPerson, { path: ['identifier'], message: 'or emailAddress is required' });

export const ActionUrl = z.object({
  url: z.string().describe('The page at which the person acts.'),
  embedUrl: z.string().describe('The same page, to be shown inside another.'),
});

/** The certificate of a signature: DER as base64, or PEM text. */
const CERTIFICATE_FIELDS = {
  certificate: z.string().min(1).max(100_000).describe('DER as base64.'),
  flowActionId: orNull(line()),
  signaturePosition: MarkModel.nullish().describe('Where a PDF shows the signature.'),
};

export const StartSignature = z.object(CERTIFICATE_FIELDS);
export const StartSignatureByKey = z.object({ ticket: Ticket, ...CERTIFICATE_FIELDS });

export const SignatureStarted = z.object({
  success: z.boolean().describe('False when the certificate may not sign: `validationResults` says why.'),
  token: z.string().nullable().describe('Completes this signature, once.'),
  toSignHash: z.base64().nullable().describe('What the key of the certificate signs.'),
  toSignData: z.base64().nullable().describe('The bytes whose hash it is, for keys that hash themselves.'),
  digestAlgorithm: z.literal('SHA256'),
  validationResults: ValidationResultsModel,
});

export const CompleteSignature = z.object({
  token: z.string().min(1).max(200),
  signature: z
    .base64()
    .min(1)
    .max(4_096)
    .describe('RSA PKCS#1 v1.5 over `toSignHash`, or ECDSA in DER, base64.'),
  ticket: orNull(Ticket),
});

export const SignatureCompleted = z.object({
  success: z.boolean().describe('False when the certificate may no longer sign.'),
  validationResults: ValidationResultsModel,
});

export const Approval = z.object({ ...PERSON_FIELDS, flowActionId: orNull(line()) });
export const ApprovalByKey = z.object({ ticket: Ticket });

const RefusalReason = text(512).min(1).describe('Told to the others.');
export const Refusal = z.object({ reason: RefusalReason, ...PERSON_FIELDS, flowActionId: orNull(line()) });
export const RefusalByKey = z.object({ ticket: Ticket, reason: RefusalReason });

const PartStatus = z
  .enum(['Created', 'Pending', 'Completed', 'Refused', 'NotNeeded'])
  .describe('Of one person. NotNeeded: others of the same rule have ended the action.');

/** The contents of the page at an action URL. */
export const ActionDetails = z.object({
  id: z.string(),
  name: z.string(),
  filename: z.string(),
  mimeType: z.string().describe('Of what GET …/content answers.'),
  fileSize: z.int(),
  status: z.enum(DOCUMENT_STATUSES),
  description: z.string().nullable(),
  expirationDate: z.iso.datetime().nullable(),
  hasSignature: z.boolean(),
  organizationName: z.string().nullable(),
  action: z.object({
    id: z.string(),
    type: z.enum(ACTION_TYPES),
    kind: z.enum(['signature', 'approval']),
    title: z.string().nullable(),
    status: PartStatus,
    canAct: z.boolean().describe('Whether the document waits for this person now.'),
    requiredCompanyIdentifier: z.string().nullable(),
    requiredCertificateTypeToSign: z.string().nullable(),
    requiredCertificateHolderTypeToSign: z.enum(HOLDER_TYPES).nullable(),
    person: z.object({
      name: z.string(),
      identifier: z.string().nullable(),
      email: z.string().nullable().describe('The same as `emailAddress`.'),
      emailAddress: z.string().nullable(),
    }),
  }),
  participants: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['signature', 'approval']),
      step: z.int(),
      status: PartStatus,
    }),
  ),
});
export type ActionDetails = z.output<typeof ActionDetails>;
