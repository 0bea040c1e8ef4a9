import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { changeDocument } from '../document/change-document.ts';
import { agentOf, findDocument } from '../document/document.ts';
import { canceledNotice } from '../document/notifications.ts';
import { refuseUnlessOpen } from '../signing/acting.ts';

/** Ends a document that nobody is to sign any more. What was signed stays to be read. */
export const cancelDocument = (id: string, caller: Caller, reason: string, nowMs: number) =>
  retryOnConflict(async () => {
    const document = await findDocument(id, caller);
    if (document.state === 'Pending') refuseUnlessOpen(document, 'refused', nowMs, 'canceled');
    const by = agentOf(caller);
    await changeDocument(document, {
      event: 'canceled',
      patch: { statusUpdatedBy: by, statusUpdateReason: reason },
      notices: [canceledNotice(by, reason)],
      nowMs,
    });
  });
