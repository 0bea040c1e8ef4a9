import * as z from 'zod';
import { platformEvent, platformId } from '../../../shared/platform/event.ts';

const CitedDocument = z.object({
  id: platformId().describe('The id of the document.'),
  folder: z
    .object({ id: platformId() })
    .nullish()
    .describe('The folder that has the document. None at the root: the notification is ignored.'),
});

const CITED = {
  id: '9d0a3c52-3f0e-4f0b-9a65-0c3a53a1f7a4',
  folder: { id: '44444444-4444-4444-8444-444444444444' },
};

/** The event of a platform's webhook. Other fields are ignored, and nothing that it says is believed. */
export const SignerNotification = platformEvent(CitedDocument).meta({
  description:
    'An event of the external service: one document, or `documents`. A test of the webhook cites none.',
  examples: [
    { type: 'DocumentSigned', data: CITED },
    { type: 'DocumentsCreated', data: { documents: [CITED] } },
  ],
});

export const NotificationTaken = z
  .object({
    outcome: z
      .enum(['accepted', 'ignored'])
      .describe('accepted: a document of a bound folder is read again. ignored: none is.'),
  })
  .meta({ description: 'What a notification led to.', examples: [{ outcome: 'accepted' }] });
