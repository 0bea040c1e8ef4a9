import * as z from 'zod';
import { CertificateModel } from '../../contract.ts';
import { DocumentMetadata } from '../../documents/contract.ts';
import { CONTEXT_ID, SESSION_DOCUMENT, SESSION_ID, TOKEN } from '../../examples.ts';
import { PdfSignatureOptions } from '../../pdf/contract/visual.ts';
import { NewSessionDocument, SessionDocumentModel } from './documents.ts';

const Status = z.enum(['Pending', 'Processing', 'Completed', 'UserCancelled', 'Expired', 'ProcessingError']);

const Requirement = z.object({
  type: z
    .string()
    .max(100)
    .describe('`Cpf`: of this person. `CryptoDevice`: of type A3 or A4. Any other is refused.'),
  argument: z.string().max(100).nullish().describe('With `Cpf`: the CPF, with or without punctuation.'),
});

export const CreateSignatureSessionRequest = z
  .object({
    returnUrl: z
      .string()
      .max(2_048)
      .nullish()
      .describe(
        'Where the person goes in the end, registered to the letter. `signatureSessionId` is added to it. Left out: the page has a tab of its own, and closes it.',
      ),
    securityContextId: z
      .union([z.literal(''), z.guid()])
      .nullish()
      .describe('By whose roots the certificate is judged. Left out: ICP-Brasil.'),
    ignoreRevocationStatusUnknown: z
      .boolean()
      .nullish()
      .describe('A revocation status that nobody tells is a warning then, and no failure.'),
    callbackArgument: z
      .string()
      .max(2_048)
      .nullish()
      .describe('A text of the application, which the session has in every answer.'),
    enableBackgroundProcessing: z
      .boolean()
      .nullish()
      .describe('The person returns without waiting for the signed files.'),
    disableDownloads: z.boolean().nullish().describe('The person is given no file to keep.'),
    documentMetadata: DocumentMetadata.nullish().describe('Of every document of the session.'),
    certificateRequirements: z
      .array(Requirement)
      .max(10)
      .nullish()
      .describe(
        'Who signs: any other certificate is refused. By the CPF the page finds a certificate in the cloud or in a token.',
      ),
    pdfSignatureOptions: PdfSignatureOptions.nullish().describe('Of every PDF that has no look of its own.'),
    cmsSignatureOptions: NewSessionDocument.shape.cmsSignatureOptions.describe(
      'Of every document that is signed as CMS.',
    ),
    documents: z
      .array(NewSessionDocument)
      .nullish()
      .describe(
        'Their contents together no larger than one document may be. Others are uploaded before, or added one by one. Left out: the person brings files.',
      ),
  })
  .meta({
    description: 'Where the person returns to, who signs, and the documents to sign.',
    examples: [
      {
        returnUrl: 'http://localhost:9999/return',
        callbackArgument: 'order 117',
        certificateRequirements: [{ type: 'Cpf', argument: '52998224725' }],
        documents: [{ file: { name: 'contract.pdf', mimeType: 'application/pdf', content: 'JVBERi0xLjcK' } }],
      },
    ],
  });

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
    id: z.uuid(),
    sessionId: z.uuid().describe('The same.'),
    application: z
      .string()
      .describe('Who asks for the signatures: the application that created the session.'),
    status: Status,
    returnUrl: z
      .string()
      .nullable()
      .describe('Null where there is none, or it is no longer registered: nobody is sent there.'),
    securityContextId: z.guid(),
    createdAt: z.iso.datetime(),
    expiresAt: z.iso.datetime().describe('When the token ends.'),
    failure: z.string().nullable().describe('With ProcessingError: what support looks for.'),
    processingErrorCode: z.string().nullable().describe('The same.'),
    callbackArgument: z.string().nullable().describe('For the application alone.'),
    certificateRequirements: z.array(
      z.object({ type: z.enum(['Cpf', 'CryptoDevice']), argument: z.string().nullable() }),
    ),
    enableBackgroundProcessing: z.boolean(),
    disableDownloads: z.boolean(),
    takesFiles: z.boolean().describe('The person brings the documents.'),
    signerCertificate: CertificateModel.nullable().describe('Of the first signature, and so of all.'),
    documents: z.array(SessionDocumentModel),
  })
  .meta({
    description: 'A signature session and its documents.',
    examples: [
      {
        id: SESSION_ID,
        sessionId: SESSION_ID,
        application: 'contracts',
        status: 'Pending',
        returnUrl: 'http://localhost:9999/return',
        securityContextId: CONTEXT_ID,
        createdAt: '2026-03-02T12:00:00.000Z',
        expiresAt: '2026-03-02T16:00:00.000Z',
        failure: null,
        processingErrorCode: null,
        callbackArgument: 'order 117',
        certificateRequirements: [{ type: 'Cpf', argument: '52998224725' }],
        enableBackgroundProcessing: false,
        disableDownloads: false,
        takesFiles: false,
        signerCertificate: null,
        documents: [SESSION_DOCUMENT],
      },
    ],
  });

export const SessionProgressModel = z
  .object({
    completed: z.boolean().describe('Whether the session has ended, however.'),
    progress: z.int().min(0).max(100),
  })
  .meta({
    description: 'How far the signed files of a session are.',
    examples: [{ completed: true, progress: 100 }],
  });
