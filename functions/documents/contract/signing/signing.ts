import * as z from 'zod';
import { VALIDATION_ITEM_TYPES } from '../../../../shared/pki/findings/validation-results.ts';
import { CHECK_EXAMPLE } from '../../../../shared/pki/model/examples.ts';
import { BASE64, DIGEST, KEY, MARK, TICKET, VALID } from '../examples.ts';
import { Cpf, line, orNull, text } from '../fields.ts';
import { caseInsensitive } from '../lists.ts';
import { PositionRequest } from '../marks.ts';

export const ValidationItemModel = z.object({
  type: z.enum(VALIDATION_ITEM_TYPES),
  message: z.string(),
  detail: z.string().nullable(),
  get innerValidationResults() {
    return z.nullable(ValidationResultsModel);
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
  examples: [CHECK_EXAMPLE],
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
  signaturePosition: PositionRequest.nullish().describe(
    'Where a PDF shows the signature: from the lower left corner, or with `topLeftX` and `topLeftY` from the upper left one.',
  ),
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
