import * as z from 'zod';
import { consume } from '../../../shared/queue/consume.ts';
import { collectUpload } from '../domain/uploads/take-or-collect.ts';
import { UPLOADS_QUEUE } from '../domain/uploads/upload.ts';

const CollectUpload = z.object({ uploadId: z.uuid() });

export const handler = consume(
  { service: 'documents', queue: UPLOADS_QUEUE, message: CollectUpload, maxReceives: 5 },
  async ({ uploadId }, { logger }) => {
    logger.info('upload collected', { uploadId, outcome: await collectUpload(uploadId) });
  },
);
