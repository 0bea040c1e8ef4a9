import { settings } from '../../settings.ts';
import type { StoredDispatch } from './dispatch.ts';
import { cancelDocument, findDispatched, isConcluded, statusOf } from './platform.ts';
import { PlatformRefused } from './platform-call.ts';

/** A document that a dispatch left at the signature service, and how it stands now. */
export type FoundDocument = {
  readonly documentId: string;
  readonly isSigned: boolean;
  readonly isCanceled: boolean;
};

/** Cancels what a dispatch left at the signature service, unless it was signed. Gives what was found there. */
export async function cancelDispatched(dispatch: StoredDispatch): Promise<readonly FoundDocument[]> {
  const deadlineAtMs = Date.now() + settings['Signing:SignerCancelBudget'] * 1000;
  const ids =
    dispatch.documentId === null ? await findDispatched(dispatch, deadlineAtMs) : [dispatch.documentId];
  const found: FoundDocument[] = [];
  for (const documentId of ids) {
    const status = await statusOf(documentId, deadlineAtMs).catch(orGone);
    const isCanceled = status === 'Pending';
    if (isCanceled) await cancelDocument(documentId, 'It was not signed in time.');
    found.push({ documentId, isSigned: isConcluded(status), isCanceled });
  }
  return found;
}

const orGone = (error: unknown): string => {
  if (error instanceof PlatformRefused && error.status === 404) return 'gone';
  throw error;
};
