import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { CertificateModel } from '../contract.ts';
import { DOCUMENT, DOCUMENT_ID, DOCUMENT_KEY, METADATA, SIGNER } from '../examples.ts';
import { FileReferenceModel } from '../files/contract.ts';
import { SignerModel } from '../inspection/contract.ts';

export const SignedDocumentParams = z.object({
  id: pathId(z.guid()).meta({ description: 'The id of the document.', examples: [DOCUMENT_ID] }),
});

export const CertificateSummaryModel = CertificateModel.pick({
  thumbprint: true,
  thumbprintSHA256: true,
  subjectCommonName: true,
  subjectDisplayName: true,
  subjectIdentifier: true,
  emailAddress: true,
  organization: true,
  organizationIdentifier: true,
}).meta({ description: 'Who signed.', examples: [DOCUMENT.signers[0]?.certificate] });

export const DocumentModel = z
  .object({
    id: z.guid(),
    key: z.string().describe('16 letters and digits, by which people name the document.'),
    formattedKey: z.string(),
    signatureType: z.enum(['Pdf', 'Cms', 'Xml']),
    originalFile: FileReferenceModel.nullable().describe('Null where only its hash was given.'),
    markedFile: FileReferenceModel.nullable(),
    signedFile: FileReferenceModel,
    availableUntil: z.iso.datetime().nullable().describe('The files are removed then.'),
    signers: z
      .array(z.object({ certificate: CertificateSummaryModel, date: z.iso.datetime() }))
      .describe('Who signed here. Signers of the original file are in `/signers`.'),
    metadata: z.record(z.string(), z.array(z.string())),
  })
  .meta({ description: 'A signed document, with links to its files.', examples: [DOCUMENT] });

export const DocumentSigners = z
  .array(SignerModel)
  .meta({ description: 'The signatures of a document.', examples: [[SIGNER]] });

export const KeyParams = z.object({
  key: z
    .string()
    .min(1)
    .max(64)
    .meta({
      description: 'The key of a document, with or without hyphens.',
      examples: [DOCUMENT_KEY.formattedKey],
    }),
});

export const FoundDocumentModel = z.object({ found: z.boolean(), document: DocumentModel.nullable() }).meta({
  description: 'A document by its key.',
  examples: [{ found: true, document: DOCUMENT }],
});

const METADATA_NAME = /^[\p{L}\p{N}_ -]{1,50}$/u;
// The index of unused keys has an entry for each, in the transaction that signs the document.
const MAX_VALUES = 50;

export const DocumentMetadata = z
  .record(
    z.string().regex(METADATA_NAME, 'has letters, digits, -, _ and blanks, 50 at most'),
    z.array(z.string().max(500)),
  )
  .refine((given) => Object.values(given).flat().length <= MAX_VALUES, `has more than ${MAX_VALUES} values`)
  .meta({ description: 'Names, each with its values. Searched without case.', examples: [METADATA] });

export const AllocateDocumentKeyRequest = z
  .object({
    provisionalMetadata: DocumentMetadata.nullish().describe(
      'The metadata of the document, once it is signed.',
    ),
  })
  .meta({ description: 'A key for a document to come.', examples: [{ provisionalMetadata: METADATA }] });

export const AllocateDocumentKeysRequest = z
  .object({
    ...AllocateDocumentKeyRequest.shape,
    count: z.int().min(1).max(100),
  })
  .meta({
    description: 'Keys for documents to come.',
    examples: [{ count: 2, provisionalMetadata: METADATA }],
  });

export const DocumentKeyModel = z
  .object({ key: z.string(), formattedKey: z.string() })
  .meta({ description: 'A key by which people name a document.', examples: [DOCUMENT_KEY] });

export const DocumentKeys = z
  .array(DocumentKeyModel)
  .meta({ description: 'Keys of documents.', examples: [[DOCUMENT_KEY]] });

export const DocumentKeyStatusModel = z
  .object({
    found: z.boolean(),
    formattedKey: z.string(),
    hasDocument: z.boolean(),
    provisionalMetadata: z.record(z.string(), z.array(z.string())).nullable(),
    document: DocumentModel.nullable(),
  })
  .meta({
    description: 'A key, and its document where it has one.',
    examples: [
      {
        found: true,
        formattedKey: DOCUMENT_KEY.formattedKey,
        hasDocument: false,
        provisionalMetadata: METADATA,
        document: null,
      },
    ],
  });

export const UnusedKeysQuery = z
  .object({
    metadataName: z
      .string()
      .max(50)
      .optional()
      .meta({ description: 'A name of the provisional metadata.', examples: ['Contract'] }),
    metadataValue: z
      .string()
      .max(500)
      .optional()
      .meta({ description: 'One of its values.', examples: ['2026-117'] }),
  })
  .superRefine(({ metadataName, metadataValue }, context) => {
    const refuse = (path: string, message: string): void =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (metadataName && metadataValue === undefined) refuse('metadataValue', 'is required with metadataName');
    if (!metadataName && metadataValue) refuse('metadataName', 'is required with metadataValue');
  });
