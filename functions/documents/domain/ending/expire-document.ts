import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { dayOf, isoDate } from '../calendar.ts';
import { changeDocument } from '../document/change-document.ts';
import { documentItems } from '../document/document.ts';
import { documentStates } from '../document/document-states.ts';

/** Ends a document whose date has passed without conclusion. One that ended otherwise, or got another date, is left alone. */
export const expireDocument = (documentId: string, expiresAtMs: number, nowMs = Date.now()) =>
  retryOnConflict(async (): Promise<'expired' | 'not-due'> => {
    const document = await documentItems.get(documentId);
    const isDue = document?.expiresAtMs === expiresAtMs && expiresAtMs <= nowMs;
    if (!document || !isDue || !documentStates.allows(document.state, 'expired')) return 'not-due';
    await changeDocument(document, {
      event: 'expired',
      notices: [
        {
          type: 'DocumentExpired',
          extra: { expirationDate: isoDate(expiresAtMs), expirationDateWithoutTime: dayOf(expiresAtMs) },
        },
      ],
      nowMs,
    });
    return 'expired';
  });
