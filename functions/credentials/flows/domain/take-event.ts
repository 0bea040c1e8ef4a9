import { recordOnceInDelay } from '../../../../shared/queue/once-in-delay.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { readTogether } from '../../../../shared/store/group/read.ts';
import { documentOwners } from './platform-documents.ts';
import { EVENT_DELAY_SECONDS, eventMessage } from './tasks.ts';

/** A document that was just created has no signature to take, and is looked at after a minute anyway. */
const CREATION = 'DocumentsCreated';

// Events of one document come together. A file that was taken meanwhile is looked at once more at most, in vain.
const owners = cached({
  name: 'credentials.document-owners',
  read: (documentId) => readTogether(documentOwners, documentId),
  ttlMs: () => EVENT_DELAY_SECONDS * 1_000,
});

/**
 * Has the platform asked about the documents that an event cites. Nothing else of the event is believed or kept:
 * repeated, late, out of order or forged, it leads to the same look. Events that come together lead to one. The document
 * of a file that was taken is not known any more.
 */
export async function takeEvent(
  type: string,
  documentIds: readonly string[],
): Promise<'accepted' | 'ignored'> {
  const cited = type === CREATION ? [] : [...new Set(documentIds)];
  const known = (await Promise.all(cited.map(owners.get))).filter((owner) => owner !== undefined);
  // A degree has two documents, and one look is for both.
  const items = new Map(known.map(({ kind, id }) => [`${kind}:${id}`, { kind, id }]));
  if (items.size === 0) return 'ignored';
  await Promise.all([...items.values()].map((item) => recordOnceInDelay(eventMessage(item))));
  return 'accepted';
}
