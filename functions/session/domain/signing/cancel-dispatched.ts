import { settings } from '../../settings.ts';
import type { StoredDispatch } from './dispatch.ts';
import { cancel, findDispatched, statusOf } from './platform.ts';
import { PlatformRefused } from './platform-call.ts';

/** Cancels what a dispatch left at the signature service, unless it was signed. Gives how many documents that were. */
export async function cancelDispatched(dispatch: StoredDispatch): Promise<number> {
  const deadlineAtMs = Date.now() + settings['Signing:SignerCancelBudget'] * 1000;
  const found =
    dispatch.documentId === null ? await findDispatched(dispatch, deadlineAtMs) : [dispatch.documentId];
  let canceled = 0;
  for (const documentId of found) {
    if ((await statusOf(documentId, deadlineAtMs).catch(orGone)) !== 'Pending') continue;
    await cancel(documentId, 'It was not signed in time.');
    canceled++;
  }
  return canceled;
}

const orGone = (error: unknown): string => {
  if (error instanceof PlatformRefused && error.status === 404) return 'gone';
  throw error;
};
