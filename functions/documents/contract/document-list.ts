import * as z from 'zod';
import { DOCUMENT_FILTERS } from '../domain/document/document-lists.ts';
import { DocumentListItem } from './documents.ts';
import { FOLDER_ID, LISTED_DOCUMENT } from './examples.ts';
import { anyCase, Paging, pageOf } from './lists.ts';

export const DocumentsQuery = anyCase(
  Paging.extend({
    organizationId: z.string().max(64).optional().describe('Left out, the first that the key is scoped to.'),
    folderId: z.string().max(64).optional().describe('Only those right in this folder.'),
    status: z.enum(DOCUMENT_FILTERS).optional(),
    isConcluded: z
      .stringbool()
      .optional()
      .describe('The older way to ask for `status`: `true` for Concluded, `false` for Pending.'),
    filterByPendingSignature: z
      .stringbool()
      .optional()
      .describe('`true`: only those that wait for a signature.'),
  }),
);

export const Documents = pageOf(DocumentListItem).meta({
  description: 'One page of documents.',
  examples: [{ items: [LISTED_DOCUMENT], totalCount: 1, nextCursor: null }],
});

export const MoveDocument = z
  .object({
    folderId: z.uuid().nullable().describe('Null: to the root of the organization.'),
  })
  .meta({ description: 'The folder that the document goes to.', examples: [{ folderId: FOLDER_ID }] });
