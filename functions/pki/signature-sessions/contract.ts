import * as z from 'zod';
import { takesNeutral } from '../../../shared/http/unknown-fields.ts';
import { pathId } from '../../../shared/http/validate.ts';
import { DigestAlgorithmAndValueModel, SignatureParametersModel } from '../authentication/contract.ts';
import { CertificateModel, ValidationResultsModel } from '../contract.ts';
import {
  CERTIFICATE,
  CONTEXT_ID,
  DIGEST,
  DOCUMENT_ID,
  JUDGED_CERTIFICATE,
  PARAMETERS,
  SESSION_DOCUMENT,
  SESSION_ID,
  SIGNATURE,
  TOKEN,
  VALID,
} from '../examples.ts';

const Status = z.enum(['Pending', 'Processing', 'Completed', 'UserCancelled', 'Expired', 'ProcessingError']);

export const SessionParams = z.object({
  sessionId: pathId(z.guid()).meta({ description: 'The id of the session.', examples: [SESSION_ID] }),
});
export const DocumentParams = SessionParams.extend({
  documentId: pathId(z.guid()).meta({ description: 'The id of the document.', examples: [DOCUMENT_ID] }),
});

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

/** A document inside a request. */
export const NewSessionDocument = z
  .object({
    name: z.string().trim().min(1).max(255),
    contentType: z
      .string()
      .max(100)
      .regex(MEDIA_TYPE, 'is not a media type')
      .nullish()
      .describe('Left out: by what the file is.'),
    content: z.base64().min(1).describe('The file, base64.'),
  })
  .meta({
    description: 'A document inside a request.',
    examples: [{ name: 'contract.pdf', contentType: 'application/pdf', content: 'JVBERi0xLjcK' }],
  });

export const DOCUMENT_FORM = {
  type: 'object',
  description: 'The document as a file part.',
  examples: [{ file: '(bytes of contract.pdf)' }],
  required: ['file'],
  properties: { file: { type: 'string', format: 'binary' } },
};

export const SessionDocumentModel = z
  .object({
    documentId: z.uuid(),
    name: z.string(),
    contentType: z.string(),
    size: z.int(),
    signatureFormat: z.enum(['PAdES', 'CAdES', 'XAdES']),
    status: z.enum(['Pending', 'Signed', 'Completed']),
  })
  .meta({ description: 'A document of a session.', examples: [SESSION_DOCUMENT] });

export const CreateSignatureSessionRequest = takesNeutral(
  z
    .object({
      returnUrl: z
        .string()
        .max(2_048)
        .describe(
          'Where the person goes in the end, registered to the letter. `signatureSessionId` is added to it.',
        ),
      securityContextId: z
        .guid()
        .nullish()
        .describe('By whose roots the certificate is judged. Left out: ICP-Brasil.'),
      ignoreRevocationStatusUnknown: z
        .boolean()
        .nullish()
        .describe('A revocation status that nobody tells is a warning then, and no failure.'),
      certificateRequirements: z
        .array(
          z.object({
            type: z.string().max(100).describe('`Cpf`. Any other type is refused.'),
            argument: z.string().max(100).nullish().describe('The CPF, with or without punctuation.'),
          }),
        )
        .nullish()
        .describe(
          'Who signs: with `Cpf`, no other certificate does, and the page finds theirs in the cloud or in a token.',
        ),
      documents: z
        .array(NewSessionDocument)
        .nullish()
        .describe('All together no larger than one document may be. Others are added one by one.'),
    })
    .meta({
      description: 'Where the person returns to, and the documents to sign.',
      examples: [
        {
          returnUrl: 'http://localhost:9999/return',
          certificateRequirements: [{ type: 'Cpf', argument: '52998224725' }],
          documents: [{ name: 'contract.pdf', contentType: 'application/pdf', content: 'JVBERi0xLjcK' }],
        },
      ],
    }),
  { documentMetadata: [{}] },
);

export const CreateSignatureSessionResponse = z
  .object({
    sessionId: z.uuid(),
    redirectUrl: z.string().describe('Send the person here. The token is in it, behind the `#`.'),
    token: z.string().describe('For X-Signature-Session-Token. Shown once.'),
    documents: z.array(SessionDocumentModel),
  })
  .meta({
    description: 'The session, and the page at which the person signs.',
    examples: [
      {
        sessionId: SESSION_ID,
        redirectUrl: `http://localhost:3000/pki/signature-sessions/${SESSION_ID}#${TOKEN}`,
        token: TOKEN,
        documents: [SESSION_DOCUMENT],
      },
    ],
  });

export const SignatureSessionModel = z
  .object({
    sessionId: z.uuid(),
    application: z
      .string()
      .describe('Who asks for the signatures: the application that created the session.'),
    status: Status,
    returnUrl: z.string().nullable().describe('Null where it is no longer registered: nobody is sent there.'),
    securityContextId: z.guid(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('When the token ends.'),
    failure: z.string().nullable().describe('With ProcessingError: what support looks for.'),
    documents: z.array(SessionDocumentModel),
  })
  .meta({
    description: 'A signature session and its documents.',
    examples: [
      {
        sessionId: SESSION_ID,
        application: 'contracts',
        status: 'Pending',
        returnUrl: 'http://localhost:9999/return',
        securityContextId: CONTEXT_ID,
        createdAt: '2026-03-02T12:00:00.000Z',
        expiresAt: '2026-03-02T13:00:00.000Z',
        failure: null,
        documents: [SESSION_DOCUMENT],
      },
    ],
  });

export const ContentQuery = z.object({
  type: z
    .enum(['Original', 'Signed'])
    .optional()
    .describe('Left out: the signed file where there is one, else the original.'),
});

export const StartSignatureRequest = z
  .object({
    certificate: z.string().min(1).max(100_000).describe('DER as base64.'),
  })
  .meta({ description: 'The certificate that is to sign.', examples: [{ certificate: CERTIFICATE }] });

const Failure = z
  .enum(['CertificateFailedValidation'])
  .nullable()
  .describe('The certificate may not sign: `validationResults` says why.');

export const StartSignatureResponse = z
  .object({
    success: z.boolean(),
    failure: Failure,
    state: z.string().nullable().describe('Completes this signature.'),
    toSignHash: DigestAlgorithmAndValueModel.nullable(),
    toSign: SignatureParametersModel.nullable(),
    validationResults: ValidationResultsModel,
  })
  .meta({
    description: 'What the private key must sign, or why the certificate may not.',
    examples: [
      {
        success: true,
        failure: null,
        state: TOKEN,
        toSignHash: DIGEST,
        toSign: PARAMETERS,
        validationResults: VALID,
      },
    ],
  });

export const CompleteSignatureRequest = z
  .object({
    state: z.string().min(1).max(200),
    signature: z
      .base64()
      .min(1)
      .max(4_096)
      .describe('RSA PKCS#1 v1.5 with SHA-256, or ECDSA in DER with SHA-256, base64.'),
  })
  .meta({
    description: 'The state of the start, and the signature value.',
    examples: [{ state: TOKEN, signature: SIGNATURE }],
  });

export const CompleteSignatureResponse = z
  .object({
    success: z.boolean(),
    failure: Failure,
    status: Status.describe('Of the session: Processing once every document is signed.'),
    certificate: CertificateModel,
    validationResults: ValidationResultsModel,
  })
  .meta({
    description: 'Whether the document is signed now, and the status of the session.',
    examples: [{ success: true, failure: null, status: 'Processing', ...JUDGED_CERTIFICATE }],
  });
