import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { changeDocument } from '../document/change-document.ts';
import { findLocatedDocument } from '../document/document.ts';

/** Replaces who is told of the conclusion of a document, beside its people. */
export const setNotifiedEmails = (
  caller: Caller,
  id: string,
  notifiedEmails: readonly string[],
  nowMs: number,
): Promise<void> =>
  retryOnConflict(async () => {
    const { document } = await findLocatedDocument(caller, id);
    await changeDocument(document, { event: 'addressed', patch: { notifiedEmails }, nowMs });
  });
