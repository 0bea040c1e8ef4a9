import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { dayOf, isoDate } from '../calendar.ts';
import { changeDocument } from '../document/change-document.ts';
import { authorOf, documentItems, findDocument } from '../document/document.ts';
import { documentStates } from '../document/document-states.ts';
import { canceledNotification } from '../document/notifications.ts';
import { requireOpen } from '../signing/acting.ts';

/** Ends a document that nobody is to sign any more. What was signed stays to be read. */
export const cancelDocument = (id: string, caller: Caller, reason: string, nowMs: number) =>
  retryOnConflict(async () => {
    const document = await findDocument(id, caller);
    if (document.state === 'Pending') requireOpen(document, 'refused', nowMs, 'canceled');
    const by = authorOf(caller);
    await changeDocument(document, {
      event: 'canceled',
      patch: { statusUpdatedBy: by, statusUpdateReason: reason },
      notifications: [canceledNotification(by, reason)],
      nowMs,
    });
  });

/** Ends a document whose date has passed without conclusion. One that ended otherwise, or got another date, is left alone. */
export const expireDocument = (documentId: string, expiresAtMs: number, nowMs = Date.now()) =>
  retryOnConflict(async (): Promise<'expired' | 'not-due'> => {
    const document = await documentItems.get(documentId);
    const isDue = document?.expiresAtMs === expiresAtMs && expiresAtMs <= nowMs;
    if (!document || !isDue || !documentStates.allows(document.state, 'expired')) return 'not-due';
    await changeDocument(document, {
      event: 'expired',
      notifications: [
        {
          type: 'DocumentExpired',
          extra: { expirationDate: isoDate(expiresAtMs), expirationDateWithoutTime: dayOf(expiresAtMs) },
        },
      ],
      nowMs,
    });
    return 'expired';
  });
