import * as z from 'zod';
import { CONTENT_TYPES } from '../domain/downloads/content-types.ts';
import { DocumentParams } from './documents.ts';
import { ATTACHMENT_ID, TICKET } from './examples.ts';
import { anyCase } from './lists.ts';

export const ContentQuery = anyCase(
  z.object({
    type: z
      .enum(CONTENT_TYPES)
      .default('Original')
      .describe(
        'Original as it came; Signatures, the signed file; OriginalWithMarks, a PDF with a mark for every signature ' +
          'and approval; PrinterFriendlyVersion, a PDF with its manifest; SignaturesManifest, the manifest alone.',
      ),
  }),
);

export const ContentBase64 = z
  .object({
    name: z.string(),
    contentType: z.string(),
    bytes: z.base64().describe('The file, base64.'),
  })
  .meta({
    description: 'A file in JSON.',
    examples: [{ name: 'contract.pdf', contentType: 'application/pdf', bytes: 'JVBERi0xLjcK' }],
  });

export const ContentTicket = z
  .object({
    location: z.url().describe('Opens the content without a key until it expires.'),
  })
  .meta({
    description: 'A link that needs no key.',
    examples: [{ location: `http://localhost:3000/documents/api/downloads/${TICKET}` }],
  });

export const AttachmentParams = DocumentParams.extend({
  attachmentId: z
    .string()
    .min(1)
    .max(64)
    .meta({ description: 'The id of the attachment, as the document lists it.', examples: [ATTACHMENT_ID] }),
});

export const DownloadParams = z.object({
  ticket: z
    .string()
    .min(1)
    .max(200)
    .meta({
      description: 'The last part of the location that a ticket was answered with.',
      examples: [TICKET],
    }),
});
