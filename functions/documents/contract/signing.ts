import * as z from 'zod';
import { VALIDATION_ITEM_TYPES } from '../../../shared/pki/findings/validation-results.ts';
import { BrandingModel } from './branding.ts';
import { DOCUMENT_STATUSES } from './documents.ts';
import { ACTION_ID, BASE64, DIGEST, DOCUMENT_ID, KEY, MARK, TICKET, VALID } from './examples.ts';
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

z.globalRegistry.add(ValidationItemModel, {
  description: 'One check of a certificate. A check that rests on others has their results inside.',
  examples: [{ type: 'Success', message: 'The certificate is in its validity period.' }],
});
z.globalRegistry.add(ValidationResultsModel, {
  description: 'The checks of a certificate: passed, failed, and those that only warn.',
  examples: [VALID],
});

export const KeyParams = z.object({
  key: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'The key of a document, from an action URL.', examples: [KEY] }),
});

const Ticket = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'The ticket of an action URL.', examples: [TICKET] });

/** For a body: a schema of its own would be a component, and parameters would have no example. */
export const TICKET_FIELD = { ticket: Ticket };

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

const ACTION_FIELDS = { ...PERSON_FIELDS, flowActionId: orNull(line()) };

const namesAction = ({
  flowActionId,
  ...person
}: Parameters<typeof namesPerson>[0] & { flowActionId: string | null }) =>
  flowActionId !== null || namesPerson(person);

const NOBODY_NAMED = { path: ['identifier'], message: 'or emailAddress or flowActionId is required' };

export const ActionUrlRequest = z
  .object({
    ...ACTION_FIELDS,
    requireEmailAuthentication: z
      .boolean()
      .nullish()
      .describe('`true`: the link shows the document only after a code that is sent to the person by mail.'),
  })
  .refine(namesAction, NOBODY_NAMED)
  .meta({
    description: 'The person that the link is for, by CPF or by e-mail address, or the action.',
    examples: [{ identifier: '52998224725' }],
  });

export const RevokeActionUrls = z
  .object(ACTION_FIELDS)
  .refine(namesAction, NOBODY_NAMED)
  .meta({
    description: 'Whose links are revoked: of a person, of an action, or of a person in an action.',
    examples: [{ emailAddress: 'ana@sandbox.example' }],
  });

export const ActionUrl = z
  .object({
    url: z.string().describe('The page at which the person acts.'),
    embedUrl: z.string().describe('The same page, to be shown inside another.'),
  })
  .meta({
    description: 'The link at which the person acts, for a window of its own and for a frame.',
    examples: [
      {
        url: `http://localhost:3000/documents/document/key/${KEY}/action?ticket=${TICKET}`,
        embedUrl: `http://localhost:3000/documents/document/key/${KEY}/embed?ticket=${TICKET}`,
      },
    ],
  });

/** The certificate of a signature: DER as base64, or PEM text. */
const CERTIFICATE_FIELDS = {
  certificate: z.string().min(1).max(100_000).describe('DER as base64.'),
  flowActionId: orNull(line()),
  signaturePosition: MarkModel.nullish().describe('Where a PDF shows the signature.'),
};

export const StartSignature = z.object(CERTIFICATE_FIELDS).meta({
  description: 'The certificate that is to sign, and where a PDF shows the signature.',
  examples: [{ certificate: BASE64, signaturePosition: MARK }],
});
export const StartSignatureByKey = z.object({ ticket: Ticket, ...CERTIFICATE_FIELDS }).meta({
  description: 'The ticket of the action URL, and the certificate that is to sign.',
  examples: [{ ticket: TICKET, certificate: BASE64 }],
});

export const SignatureStarted = z
  .object({
    success: z.boolean().describe('False when the certificate may not sign: `validationResults` says why.'),
    token: z.string().nullable().describe('Completes this signature, once.'),
    toSignHash: z.base64().nullable().describe('What the key of the certificate signs.'),
    toSignData: z.base64().nullable().describe('The bytes whose hash it is, for keys that hash themselves.'),
    digestAlgorithm: z.literal('SHA256'),
    validationResults: ValidationResultsModel,
  })
  .meta({
    description: 'What the private key must sign, or why the certificate may not.',
    examples: [
      {
        success: true,
        token: TICKET,
        toSignHash: DIGEST,
        toSignData: 'MYGVMBgGCSqGSIb3DQEJAw==',
        digestAlgorithm: 'SHA256',
        validationResults: VALID,
      },
    ],
  });

export const CompleteSignature = z
  .object({
    token: z.string().min(1).max(200),
    signature: z
      .base64()
      .min(1)
      .max(4_096)
      .describe('RSA PKCS#1 v1.5 over `toSignHash`, or ECDSA in DER, base64.'),
    ticket: orNull(Ticket),
  })
  .meta({
    description: 'The token of the start, and the signature value.',
    examples: [{ token: TICKET, signature: BASE64 }],
  });

export const SignatureCompleted = z
  .object({
    success: z.boolean().describe('False when the certificate may no longer sign.'),
    validationResults: ValidationResultsModel,
  })
  .meta({
    description: 'Whether the document is signed now, with the checks of the certificate.',
    examples: [{ success: true, validationResults: VALID }],
  });

export const Approval = z.object({ ...PERSON_FIELDS, flowActionId: orNull(line()) }).meta({
  description: 'Who approves. Left out, the first person that the document waits for.',
  examples: [{ identifier: '52998224725' }],
});
export const ApprovalByKey = z
  .object({ ticket: Ticket })
  .meta({ description: 'The ticket of the action URL.', examples: [{ ticket: TICKET }] });

const RefusalReason = text(512).min(1).describe('Shown to the other participants.');
export const Refusal = z
  .object({ reason: RefusalReason, ...PERSON_FIELDS, flowActionId: orNull(line()) })
  .meta({
    description:
      'Why, and who refuses. Left out, the only person that the document waits for; with several, the application.',
    examples: [{ reason: 'The amount in clause 4 is wrong.', identifier: '52998224725' }],
  });
export const RefusalByKey = z.object({ ticket: Ticket, reason: RefusalReason }).meta({
  description: 'The ticket of the action URL, and why.',
  examples: [{ ticket: TICKET, reason: 'The amount in clause 4 is wrong.' }],
});

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
    organizationName: z.string().nullable(),
    branding: BrandingModel.nullable(),
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
        identifier: z.string().nullable().describe('The CPF, masked.'),
        email: z.string().nullable().describe('The same as `emailAddress`.'),
        emailAddress: z.string().nullable(),
      }),
    }),
    marks: z
      .array(
        MarkModel.extend({
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
        status: 'Pending',
        description: null,
        expirationDate: null,
        hasSignature: false,
        verificationCode: null,
        organizationName: 'Sandbox Organization',
        branding: { displayName: 'Sandbox Organization', logoUrl: null, color: null },
        action: {
          id: ACTION_ID,
          type: 'Signer',
          kind: 'signature',
          title: null,
          status: 'Pending',
          canAct: true,
          requiredCompanyIdentifier: null,
          requiredCertificateTypeToSign: null,
          requiredCertificateHolderTypeToSign: null,
          person: {
            name: 'Ana Souza',
            identifier: '***.982.247-**',
            email: 'ana@sandbox.example',
            emailAddress: 'ana@sandbox.example',
          },
        },
        marks: [{ ...MARK, name: 'Ana Souza', kind: 'signature', isYours: true }],
        participants: [{ name: 'Ana Souza', kind: 'signature', step: 1, status: 'Pending', rule: null }],
      },
    ],
  });
export type ActionDetails = z.output<typeof ActionDetails>;
