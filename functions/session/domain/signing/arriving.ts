import { errors } from '../../errors.ts';
import { requireActiveSession } from '../session.ts';
import type { IncomingDocument } from './incoming.ts';

/** What of a batch has just arrived. */
export type IncomingPart = { readonly sessionId: string } | { readonly document: IncomingDocument };

// Fifty documents of ten megabytes are more than a function should hold. While these are handed over, the rest of
// the form waits on its line.
const MAX_IN_HAND = 6;

// Files that come before their session are held, not handed over: a caller with no session must not store any.
const MAX_UNCLAIMED_BYTES = 20 * 1024 * 1024;
const SESSION_FIRST = {
  field: 'sessionId',
  reason: `must come before the files where these are more than ${MAX_UNCLAIMED_BYTES} bytes`,
};

/**
 * Takes a batch as it arrives, a few documents at a time. `handOver` deals with one and never fails; what it gives is
 * in the order in which the documents came. A session that is not active is told as soon as it is named, and before
 * that nothing is handed over.
 */
export async function readBatch<T>(
  parts: AsyncIterable<IncomingPart>,
  handOver: (document: IncomingDocument) => Promise<T>,
): Promise<{ readonly sessionId: string; readonly documents: readonly T[] }> {
  let sessionId = '';
  const documents: Promise<T>[] = [];
  const inHand = new Set<Promise<unknown>>();
  const unclaimed: IncomingDocument[] = [];
  let unclaimedBytes = 0;
  const take = async (document: IncomingDocument): Promise<void> => {
    const handed = handOver(document);
    documents.push(handed);
    inHand.add(handed);
    handed.finally(() => inHand.delete(handed));
    if (inHand.size >= MAX_IN_HAND) await Promise.race(inHand);
  };
  for await (const part of parts) {
    if ('sessionId' in part) {
      ({ sessionId } = part);
      if (sessionId !== '') await requireActiveSession(sessionId);
      for (const document of unclaimed.splice(0)) await take(document);
    } else if (sessionId !== '') await take(part.document);
    else {
      unclaimed.push(part.document);
      unclaimedBytes += part.document.content instanceof Buffer ? part.document.content.length : 0;
      if (unclaimedBytes > MAX_UNCLAIMED_BYTES) throw errors.refuse('INVALID_REQUEST', SESSION_FIRST);
    }
  }
  if (sessionId === '') throw errors.refuse('INVALID_REQUEST', { field: 'sessionId', reason: 'is required' });
  return { sessionId, documents: await Promise.all(documents) };
}
