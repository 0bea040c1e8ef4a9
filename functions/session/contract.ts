import * as z from 'zod';
import { parseCpf } from '../../shared/taxpayer/cpf.ts';

const SessionId = z.string().min(1).describe('As POST /v1/sessions answered it.');

export const SessionQuery = z.object({ sessionId: SessionId });
export const SessionBody = z.object({ sessionId: SessionId });

const Cpf = z
  .string()
  .regex(/^[0-9]{11}$/, 'must be eleven digits without punctuation, such as 52998224725')
  .transform((text, context) => {
    const cpf = parseCpf(text);
    if (cpf) return cpf;
    context.addIssue({ code: 'custom', message: 'is not a CPF' });
    return z.NEVER;
  });

export const CreateSession = z.object({
  cpf: Cpf,
  pin: z.string().min(1).max(256).describe("The certificate's PIN, in either custody."),
  sessionDuration: z
    .number()
    .min(1)
    .refine(Number.isInteger, 'must be a whole number') // not z.int(): a larger number is cut to the maximum too
    .meta({ type: 'integer' })
    .nullish()
    .transform((seconds) => seconds ?? undefined)
    .describe('Seconds. Left out, the default window; above the maximum it is cut to that.'),
  email: z
    .email()
    .max(254)
    .nullish()
    .transform((email) => email ?? undefined)
    .describe('Where the certificate names no e-mail address.'),
});

export const Session = z.object({
  sessionId: z.string(),
  cpf: z.string(),
  expiresIn: z.int().describe('Seconds that were granted.'),
  expiresAt: z.iso.datetime(),
});

export const SessionStatus = z.object({
  active: z.boolean().describe('False for an id that names nothing active.'),
  sessionId: z.string(),
  expiresIn: z.int().min(0).describe('Seconds until the session ends; 0 when it is not active.'),
  expiresAt: z.iso.datetime().describe('The moment of asking when the session is not active.'),
});

export const EndedSession = z.object({
  cpf: z.string(),
  sessionId: z.string(),
  active: z.boolean(),
  endedAt: z.iso.datetime(),
});

export const CertificateInfo = z.object({
  cpf: z.string().describe("The certificate's; it need not be the session's."),
  subjectName: z.string(),
  issuer: z.string(),
  serialNumber: z.string(),
  notBefore: z.iso.datetime(),
  notAfter: z.iso.datetime(),
  status: z.enum(['ACTIVE', 'EXPIRED', 'REVOKED', 'UNTRUSTED', 'STALE']).describe('Only ACTIVE can sign.'),
});

export const SignDocument = z.object({
  sessionId: SessionId,
  document: z.string().nullish().describe('The PDF, base64.'),
  fileName: z.string().trim().max(255).nullish(),
});

/** The form of POST /v1/signatures, for the contract document. */
export const DOCUMENT_FORM = {
  type: 'object',
  required: ['sessionId', 'document'],
  properties: { sessionId: { type: 'string' }, document: { type: 'string', format: 'binary' } },
};

/** The form of POST /v1/signatures/batch. */
export const BATCH_FORM = {
  type: 'object',
  required: ['sessionId', 'files'],
  properties: {
    sessionId: { type: 'string' },
    files: { type: 'array', items: { type: 'string', format: 'binary' } },
  },
};

export const Accepted = z.object({
  signatureId: z.string().describe("The document's id at the signature service."),
  status: z.literal('PROCESSING'),
  acceptedAt: z.iso.datetime(),
});

export const BatchAccepted = z.object({
  results: z.array(
    z.object({
      fileName: z.string(),
      signatureId: z.string().nullable(),
      status: z.enum(['PROCESSING', 'ERROR']),
      error: z.object({ code: z.string(), message: z.string() }).nullable(),
    }),
  ),
  acceptedAt: z.iso.datetime(),
});

export const SignatureParams = z.object({ signatureId: z.string().min(1).max(200) });
