import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { CertificateModel } from '../contract.ts';
import { DOCUMENT, DOCUMENT_ID, DOCUMENT_KEY } from '../examples.ts';
import { FileReferenceModel } from '../files/contract.ts';

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

export const DocumentKeyText = z
  .string()
  .max(64)
  .meta({ description: 'With or without hyphens.', examples: [DOCUMENT_KEY.formattedKey] });
