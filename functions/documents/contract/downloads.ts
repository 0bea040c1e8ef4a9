import * as z from 'zod';
import { pathId } from '../../../shared/http/validate.ts';
import { DocumentParams } from './documents.ts';
import { ATTACHMENT_ID, TICKET } from './examples.ts';
import { caseInsensitive } from './lists.ts';

/** The contents of a document that can be downloaded. */
export const CONTENT_TYPES = [
  'Original',
  'Signatures',
  'OriginalWithMarks',
  'PrinterFriendlyVersion',
  'SignaturesManifest',
] as const;
export type ContentType = (typeof CONTENT_TYPES)[number];

const ContentFields = z.object({
  type: z
    .enum(CONTENT_TYPES)
    .default('Original')
    .describe(
      'Original as it came; Signatures, the signed file; OriginalWithMarks, a PDF with a mark for every signature ' +
        'and approval; PrinterFriendlyVersion, a PDF with its manifest; SignaturesManifest, the manifest alone.',
    ),
});

export const ContentQuery = caseInsensitive(ContentFields);

export const TicketQueryOfContent = caseInsensitive(
  ContentFields.extend({
    preview: z
      .stringbool()
      .optional()
      .describe('`true`: a PDF is shown by the browser, and not saved under a name. Other files are saved.'),
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
    location: z
      .string()
      .startsWith('/')
      .describe(
        'A path below the base URL of this service. It opens the content without a key until it expires.',
      ),
  })
  .meta({
    description: 'A link that needs no key.',
    examples: [{ location: `/api/downloads/${TICKET}` }],
  });

export const AttachmentParams = DocumentParams.extend({
  attachmentId: pathId().meta({ description: 'The id of the attachment.', examples: [ATTACHMENT_ID] }),
});

export const DownloadParams = z.object({
  ticket: z
    .string()
    .min(1)
    .max(200)
    .meta({ description: 'From the location that a ticket was answered with.', examples: [TICKET] }),
});
