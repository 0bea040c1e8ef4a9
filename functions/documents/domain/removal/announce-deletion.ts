import type { Write } from '../../../../shared/store/write.ts';
import { type Recording, recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import type { Document } from '../document/document.ts';
import { type DocumentLocation, locateAll } from '../document/location.ts';
import { commonFields } from '../document/notifications.ts';
import { webhooks } from '../document/webhook-engine.ts';

type DeletionAction = 'DeletedByUserOrApplication' | 'DeletedByOrganization' | 'DeletedByFolder';

// The most documents that the events of one deletion list, however many are deleted.
const MAX_ANNOUNCED_DOCUMENTS = 100;

/** DocumentDeleted for these documents, to be committed with their deletion. `known` is the location of all of them. */
export async function recordDeleted(
  organizationId: string,
  documents: readonly Document[],
  action: DeletionAction,
  known?: DocumentLocation,
): Promise<Recording> {
  const locationOf = known ? () => known : await locateAll(documents);
  const data = {
    documents: documents.map((document) => commonFields(document, locationOf(document))),
    action,
  };
  return recording(webhooks, organizationId, [{ type: 'DocumentDeleted', data }]);
}

/** A folder or an organization that is being deleted. */
type DeletedPlace = {
  readonly organizationId: string;
  readonly action: DeletionAction;
  readonly announcedIds?: readonly string[] | undefined;
  /** Records the announced documents at the place, in one write with their event. */
  readonly save: (announcedIds: readonly string[], also: readonly Write[]) => Promise<unknown>;
};

/**
 * Records the event of documents that are about to be deleted with their place: each document once, also one that was
 * created at the last moment, and in all no more than one event lists.
 */
export async function announceDeletion(
  { organizationId, action, announcedIds = [], save }: DeletedPlace,
  documents: readonly Document[],
): Promise<void> {
  const added = documents
    .filter(({ id }) => !announcedIds.includes(id))
    .slice(0, MAX_ANNOUNCED_DOCUMENTS - announcedIds.length);
  if (added.length === 0) return;
  const recorded = await recordDeleted(organizationId, added, action);
  await save([...announcedIds, ...added.map(({ id }) => id)], recorded.writes);
}
