import * as z from 'zod';
import { pathId } from '../../../../shared/http/validate.ts';
import { DocumentMetadata } from '../../documents/contract.ts';
import { BLOB_TOKEN, DOCUMENT_ID, SESSION_DOCUMENT, SESSION_ID } from '../../examples.ts';
import {
  CompleteMultipartUploadRequest,
  FileReference,
  FileReferenceModel,
  PartParams,
  UploadParams,
} from '../../files/contract.ts';
import { PdfSignatureOptions } from '../../pdf/contract/visual.ts';
import { PrepareSignatureRequest } from '../../signatures/contract.ts';

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
    xmlSignatureOptions: PrepareSignatureRequest.shape.xmlSignatureOptions.describe(
      'Which element of XML is signed, and where the signature is put. Left out: the whole document.',
    ),
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
