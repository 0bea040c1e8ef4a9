import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { dayOf, isoDate } from '../calendar.ts';
import { changeDocument } from '../document/change-document.ts';
import { authorOf, documentItems, findLocatedDocument } from '../document/document.ts';
import { documentStates } from '../document/document-states.ts';
import { canceledNotification } from '../document/notifications.ts';
import { requireOpen } from '../signing/acting.ts';

/** Cancels a document: nobody can sign it any more. Its signed file can still be read. */
export const cancelDocument = (caller: Caller, id: string, reason: string, nowMs: number) =>
  retryOnConflict(async () => {
    const { document } = await findLocatedDocument(caller, id);
    requireOpen(document, 'canceled', nowMs);
    const by = authorOf(caller);
    await changeDocument(document, {
      event: 'canceled',
      patch: { statusUpdatedBy: by, statusUpdateReason: reason },
      notifications: [canceledNotification(by, reason)],
      nowMs,
    });
  });

/**
 * Expires a document whose date passed before its conclusion, in one write with the deletion of the task's record. One
 * that ended or got another date is left alone.
 */
export const expireDocument = (documentId: string, expiresAtMs: number, nowMs: number) =>
  retryOnConflict(async (): Promise<'expired' | 'not-due'> => {
    const document = await documentItems.get(documentId);
    const isDue = document?.expiresAtMs === expiresAtMs && expiresAtMs <= nowMs;
    if (!document || !isDue || !documentStates.accepts(document.state, 'expired')) return 'not-due';
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
