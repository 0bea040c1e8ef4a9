import * as z from 'zod';
import { platformEvent, platformId } from '../../../shared/platform/event.ts';

const SIGNED_DOCUMENT = { id: '0c9a1f62-7d5b-4f0e-8f6b-1f1f6a3c2e55' };

export const SignerEvent = platformEvent(
  z.object({ id: platformId().describe('The id of the document.') }),
).meta({
  description:
    'An event of the document-signature platform: one document, or `documents`. A test of the webhook cites none.',
  examples: [
    { type: 'DocumentConcluded', data: SIGNED_DOCUMENT },
    { type: 'DocumentsCreated', data: { documents: [SIGNED_DOCUMENT] } },
  ],
});

export const SignerEventTaken = z
  .object({
    outcome: z
      .enum(['accepted', 'ignored'])
      .describe(
        'accepted: the platform is asked about a document of ours. ignored: none is ours and waits, or they were just created.',
      ),
  })
  .meta({ description: 'What an event led to.', examples: [{ outcome: 'accepted' }] });
