import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { DigestAlgorithmAndValueModel, SignatureParametersModel } from '../authentication/contract.ts';
import { CertificateModel, ValidationResultsModel } from '../contract.ts';
import { DocumentMetadata } from '../documents/contract.ts';
import {
  BLOB_TOKEN,
  CERTIFICATE,
  CONTEXT_ID,
  DIGEST,
  DOCUMENT_ID,
  JUDGED_CERTIFICATE,
  PARAMETERS,
  SESSION_DOCUMENT,
  SESSION_ID,
  TOKEN,
  VALID,
} from '../examples.ts';
import {
  CompleteMultipartUploadRequest,
  FileReference,
  FileReferenceModel,
  PartParams,
  UploadParams,
} from '../files/contract.ts';
import { PdfSignatureOptions } from '../pdf/contract/visual.ts';

const Status = z.enum(['Pending', 'Processing', 'Completed', 'UserCancelled', 'Expired', 'ProcessingError']);

export const SessionParams = z.object({
  sessionId: pathId(z.guid()).meta({ description: 'The id of the session.', examples: [SESSION_ID] }),
});
export const DocumentParams = SessionParams.extend({
  documentId: pathId(z.guid()).meta({ description: 'The id of the document.', examples: [DOCUMENT_ID] }),
});

const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/;

const CmsOptions = z.object({
  detached: z.boolean().nullish().describe('The signature is apart from the content.'),
});

/** A document inside a request. */
export const NewSessionDocument = z
  .object({
    file: FileReference.nullish().describe('Where the file is: inside the request, an upload, an address.'),
    metadata: DocumentMetadata.nullish().describe('Takes the place of `documentMetadata`, name by name.'),
    documentKey: z.string().max(64).nullish().describe('A key that was given out for the document.'),
    signatureType: z.enum(['Pdf', 'Cms', 'Xml']).nullish().describe('Left out: by what the file is.'),
    pdfSignatureOptions: PdfSignatureOptions.nullish(),
    cmsSignatureOptions: CmsOptions.nullish(),
    name: z.string().trim().min(1).max(255).nullish().describe('Required with `content`.'),
    contentType: z
      .string()
      .max(100)
      .regex(MEDIA_TYPE, 'is not a media type')
      .nullish()
      .describe('Left out: by what the file is.'),
    content: z.base64().min(1).nullish().describe('The file, base64, in place of `file`.'),
  })
  .superRefine(({ file, content, name }, context) => {
    const require = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message });
    if (!file && name === undefined) require('name', 'is required');
    else if (!file && !content) require('file', 'is required');
    else if (file && content) require('content', 'is in `file` already: send one of them');
    else if (!file && !name) require('name', 'is required');
  })
  .meta({
    description: 'A document inside a request.',
    examples: [
      { file: { name: 'contract.pdf', mimeType: 'application/pdf', content: 'JVBERi0xLjcK' } },
      { name: 'contract.pdf', contentType: 'application/pdf', content: 'JVBERi0xLjcK' },
    ],
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
    id: z.uuid(),
    documentId: z.uuid().describe('The same.'),
    key: z.string().nullable().describe('The key of the document, once it is signed.'),
    formattedKey: z.string().nullable(),
    name: z.string(),
    contentType: z.string(),
    size: z.int(),
    signatureFormat: z.enum(['PAdES', 'CAdES', 'XAdES']),
    signatureType: z.enum(['Pdf', 'Cms', 'Xml']),
    status: z.enum(['PendingSignature', 'Processing', 'Completed', 'ProcessingError']),
    state: z
      .enum(['Pending', 'Signed', 'Completed'])
      .describe('Whether the signature is given, and its file made.'),
    dateSigned: z.iso.datetime().nullable(),
    originalFile: FileReferenceModel,
    markedFile: FileReferenceModel.nullable(),
    signedFile: FileReferenceModel.nullable(),
    availableUntil: z.iso.datetime().nullable().describe('Until when the signed document can be fetched.'),
    metadata: z.record(z.string(), z.array(z.string())).describe('For the application alone.'),
  })
  .meta({ description: 'A document of a session.', examples: [SESSION_DOCUMENT] });

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
    cmsSignatureOptions: CmsOptions.nullish().describe('Of every document that is signed as CMS.'),
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

/** A file that the person brings: an upload in parts, which this completes. */
export const OwnFile = z
  .object({
    name: z.string().trim().min(1).max(255),
    contentType: z.union([z.literal(''), z.string().max(100).regex(MEDIA_TYPE, 'is not a media type')]),
    ...UploadParams.shape,
    partETags: CompleteMultipartUploadRequest.shape.partETags,
  })
  .meta({
    description: 'A file that the person brings.',
    examples: [
      {
        name: 'contract.pdf',
        contentType: 'application/pdf',
        token: BLOB_TOKEN,
        partETags: ['"6805f2cfc46c0f04559748bb039d69ae"'],
      },
    ],
  });

export const OwnPartParams = SessionParams.extend(PartParams.shape);

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
