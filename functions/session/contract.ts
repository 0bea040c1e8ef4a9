import * as z from 'zod';
import { parseCpf } from '../../shared/taxpayer/cpf.ts';

const SIGNATURE_ID = '8d7f0a2c-5f0e-4c3b-9a61-2f1d6b7c8e90';
const UPLOAD_ID = '3f9c1c5e-2f57-4d0e-8a51-6f1f0a7b9c2d';
const SESSION_ID = 'm3Vd0rYcQm7pZt9Lw2Nf5Bs8Gj1Ra4hKx6Tq0We9Uy1';

const SessionId = z
  .string()
  .min(1)
  .meta({ description: 'As POST /v1/sessions answered it.', examples: [SESSION_ID] });

export const SessionQuery = z.object({ sessionId: SessionId });
export const SessionBody = z
  .object({ sessionId: SessionId })
  .meta({ description: 'The session.', examples: [{ sessionId: SESSION_ID }] });

const Cpf = z
  .string()
  .regex(/^[0-9]{11}$/, 'must be eleven digits without punctuation, such as 52998224725')
  .transform((text, context) => {
    const cpf = parseCpf(text);
    if (cpf) return cpf;
    context.addIssue({ code: 'custom', message: 'is not a CPF' });
    return z.NEVER;
  });

export const CreateSession = z
  .object({
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
  })
  .meta({
    description: 'Whose certificate signs, and its PIN.',
    examples: [{ cpf: '52998224725', pin: '1234', sessionDuration: 1800 }],
  });

export const Session = z
  .object({
    sessionId: z.string(),
    cpf: z.string(),
    expiresIn: z.int().describe('Seconds that were granted.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({
    description: 'A session that was opened.',
    examples: [
      { sessionId: SESSION_ID, cpf: '52998224725', expiresIn: 1800, expiresAt: '2026-03-02T12:30:00.000Z' },
    ],
  });

export const SessionStatus = z
  .object({
    active: z.boolean().describe('False for an id that names nothing active.'),
    sessionId: z.string(),
    expiresIn: z.int().min(0).describe('Seconds until the session ends; 0 when it is not active.'),
    expiresAt: z.iso.datetime().describe('The moment of asking when the session is not active.'),
  })
  .meta({
    description: 'Whether a session is active, and until when.',
    examples: [
      { active: true, sessionId: SESSION_ID, expiresIn: 1745, expiresAt: '2026-03-02T12:30:00.000Z' },
    ],
  });

export const EndedSession = z
  .object({
    cpf: z.string(),
    sessionId: z.string(),
    active: z.boolean(),
    endedAt: z.iso.datetime(),
  })
  .meta({
    description: 'A session that was ended.',
    examples: [
      { cpf: '52998224725', sessionId: SESSION_ID, active: false, endedAt: '2026-03-02T12:10:00.000Z' },
    ],
  });

export const CertificateInfo = z
  .object({
    cpf: z.string().describe("The certificate's; it need not be the session's."),
    subjectName: z.string(),
    issuer: z.string(),
    serialNumber: z.string(),
    notBefore: z.iso.datetime(),
    notAfter: z.iso.datetime(),
    status: z.enum(['ACTIVE', 'EXPIRED', 'REVOKED', 'UNTRUSTED', 'STALE']).describe('Only ACTIVE can sign.'),
  })
  .meta({
    description: 'The certificate of a session, and whether it can sign.',
    examples: [
      {
        cpf: '52998224725',
        subjectName: 'CN=SANDBOX HOLDER 52998224725, O=ICP-Brasil, C=BR',
        issuer: 'CN=Sandbox Issuing CA, O=ICP-Brasil, C=BR',
        serialNumber: '4F2A9C01',
        notBefore: '2026-01-01T00:00:00.000Z',
        notAfter: '2029-01-01T00:00:00.000Z',
        status: 'ACTIVE',
      },
    ],
  });

const UploadId = z.uuid().meta({ examples: [UPLOAD_ID] });

export const PresignUpload = z
  .object({
    sessionId: SessionId,
    size: z.int().min(1).describe('Of the PDF in bytes. A put of any other size is refused.'),
    fileName: z
      .string()
      .trim()
      .max(255)
      .nullish()
      // Without folders, like the file name of a form.
      .transform((name) => name?.split(/[/\\]/).at(-1) || 'document.pdf'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
      .nullish()
      .transform((hash) => hash ?? undefined)
      .describe('Of the PDF. A file with another one is not signed.'),
  })
  .meta({
    description: 'The PDF that will be put to the address.',
    examples: [{ sessionId: SESSION_ID, size: 9_482_113, fileName: 'contract.pdf' }],
  });

export const PresignedUpload = z
  .object({
    uploadId: z.uuid().describe('Name it in POST /v1/signatures once the PDF is put.'),
    method: z.literal('PUT'),
    url: z.url(),
    headers: z.record(z.string(), z.string()).describe('To be sent with the put.'),
    expiresAt: z.iso.datetime().describe('Until then it can be put.'),
  })
  .meta({
    description: 'How to put the PDF, and the id by which it is signed.',
    examples: [
      {
        uploadId: UPLOAD_ID,
        method: 'PUT',
        url: 'https://store.example/uploads/c0a8012e?X-Amz-Expires=3600',
        headers: { 'content-type': 'application/pdf' },
        expiresAt: '2026-03-02T13:00:00.000Z',
      },
    ],
  });

export const SignDocument = z
  .object({
    sessionId: SessionId,
    document: z.string().nullish().describe('The PDF, base64.'),
    fileName: z.string().trim().max(255).nullish(),
    uploadId: UploadId.nullish().describe('In place of `document`: a PDF that was put by a link.'),
  })
  .meta({
    description: 'The session, and the PDF in base64 or the upload that it was put by.',
    examples: [{ sessionId: SESSION_ID, document: 'JVBERi0xLjcK', fileName: 'contract.pdf' }],
  });

/** The form of POST /v1/signatures, for the contract document. */
export const DOCUMENT_FORM = {
  type: 'object',
  description: 'The session, and one PDF as a file part.',
  examples: [{ sessionId: SESSION_ID, document: '(bytes of contract.pdf)' }],
  required: ['sessionId'],
  properties: {
    sessionId: { type: 'string' },
    document: { type: 'string', format: 'binary' },
    uploadId: { type: 'string', description: 'In place of `document`: a PDF that was put by a link.' },
  },
};

/** The form of POST /v1/signatures/batch. */
export const BATCH_FORM = {
  type: 'object',
  description: 'The session, and a file part named `files` for each PDF.',
  examples: [{ sessionId: SESSION_ID, files: ['(bytes of first.pdf)', '(bytes of second.pdf)'] }],
  required: ['sessionId'],
  properties: {
    sessionId: { type: 'string' },
    files: { type: 'array', items: { type: 'string', format: 'binary' } },
    uploadId: {
      type: 'array',
      items: { type: 'string' },
      description: 'Beside `files` or in their place: a field for each PDF that was put by a link.',
    },
  },
};

export const Accepted = z
  .object({
    signatureId: z.string().describe("The document's id at the signature service."),
    status: z.literal('PROCESSING'),
    acceptedAt: z.iso.datetime(),
  })
  .meta({
    description: 'A document that was accepted. It is signed in the background.',
    examples: [{ signatureId: SIGNATURE_ID, status: 'PROCESSING', acceptedAt: '2026-03-02T12:01:00.000Z' }],
  });

export const BatchAccepted = z
  .object({
    results: z.array(
      z.object({
        fileName: z.string(),
        signatureId: z.string().nullable(),
        status: z.enum(['PROCESSING', 'ERROR']),
        error: z.object({ code: z.string(), message: z.string() }).nullable(),
      }),
    ),
    acceptedAt: z.iso.datetime(),
  })
  .meta({
    description: 'The outcome of each document of a batch, in the order of the files.',
    examples: [
      {
        results: [
          { fileName: 'first.pdf', signatureId: SIGNATURE_ID, status: 'PROCESSING', error: null },
          {
            fileName: 'second.txt',
            signatureId: null,
            status: 'ERROR',
            error: { code: 'UNSUPPORTED_DOCUMENT', message: 'Only PDF documents are signed.' },
          },
        ],
        acceptedAt: '2026-03-02T12:01:00.000Z',
      },
    ],
  });

export const SignatureParams = z.object({
  signatureId: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'As POST /v1/signatures answered it.', examples: [SIGNATURE_ID] }),
});
