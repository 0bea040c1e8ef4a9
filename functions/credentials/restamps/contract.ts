import * as z from 'zod';
import { Id, ITEM, ITEM_ID, ItemModel } from '../items/shapes.ts';
import { RESTAMPED_TYPES } from '../items/vocabulary.ts';

const DOCUMENT_ID = '0a4c7d5e-3b21-4f6a-8d90-1e2f3a4b5c6d';

export const CreateRestamp = z
  .object({
    documentType: z.enum(RESTAMPED_TYPES).describe('The kind of the item whose file is stamped.'),
    documentId: Id.describe('The id of that item.'),
    identifier: Id.describe('The name of its file, without `.xml`. It must be signed.'),
  })
  .meta({
    description: 'A signed file to stamp again.',
    examples: [{ documentType: 'Degree', documentId: DOCUMENT_ID, identifier: 'diploma' }],
  });

export const UpdateRestamp = z
  .object({})
  .meta({ description: 'Nothing: the path says it all.', examples: [{}] });

export const Restamp = ItemModel.extend({
  documentType: z.enum(RESTAMPED_TYPES),
  documentId: z.string(),
  identifier: z.string().describe('The name of the signed file.'),
  archivingExpiringDate: z.iso
    .datetime()
    .describe(
      'Until when the newest proof of the file can be verified. Before the restamp is applied: of the token before it, of the timestamps in the file, or without any of the certificates of its signers. Then: of its own token.',
    ),
  date: z.iso.datetime().nullable().describe('The time that its token tells.'),
  errorReason: z.string().nullable().describe('Why the last attempt failed: which authority answered what.'),
  earlierRestampIds: z
    .array(z.string())
    .describe('The restamps whose tokens are stamped with the signed file, in their order.'),
  attempts: z.int().describe('The number of the attempt that it is at, from 1.'),
  retryDate: z.iso.datetime().nullable().describe('When a failed one is tried again.'),
  tokenSha256: z.string().nullable().describe('The SHA-256 hash of its token, in hexadecimal.'),
}).meta({
  description:
    'A timestamp over a signed file and its earlier tokens, which keeps the file provable when their authorities expire. It is stored beside the file and is not XAdES-A: the file stays as it is.',
  examples: [
    {
      ...ITEM,
      id: ITEM_ID,
      documentType: 'Degree',
      documentId: DOCUMENT_ID,
      identifier: 'diploma',
      archivingExpiringDate: '2027-03-02T12:00:00.000Z',
      date: null,
      errorReason: null,
      earlierRestampIds: [],
      attempts: 1,
      retryDate: null,
      tokenSha256: null,
    },
  ],
});
