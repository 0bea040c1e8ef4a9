import type { Caller } from '../../../../shared/access/caller.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { clearPartition } from '../../../../shared/store/partition.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Recording, recording } from '../../../../shared/webhooks/deliveries/record-events.ts';
import { storing } from '../billing/usage.ts';
import { runCreation, storedBytes } from '../creating/creation.ts';
import { sendRecordedTasks } from '../document/change-document.ts';
import { type Document, documentItems, findDocument } from '../document/document.ts';
import { documentList, type ListScope, listing } from '../document/document-lists.ts';
import { locateAll } from '../document/location.ts';
import { commonFields } from '../document/notifications.ts';
import { webhooks } from '../document/webhook-engine.ts';
import { taskMessage } from '../tasks.ts';
import { uploadOf } from '../uploads/upload.ts';

/** Deletes a document in any state, with all its files. It cannot be undone. */
export const deleteDocument = (caller: Caller, id: string): Promise<void> =>
  retryOnConflict(async () => {
    const document = await findDocument(caller, id);
    await finishCreationOf(document);
    const recorded = await recordDeletedNotification(
      document.organizationId,
      [document],
      'DeletedByUserOrApplication',
    );
    const writes = deleting(document);
    await commit([...writes, ...recorded.writes]);
    await Promise.all([recorded.wake(), sendRecordedTasks(writes)]);
  });

/** An interrupted creation still names the document, and would create it again. */
async function finishCreationOf({ creationId }: Document): Promise<void> {
  if (creationId !== undefined) await runCreation(creationId);
}

/** The writes that delete a document. Of two deletions at once, one is refused and then finds it gone. */
function deleting(document: Stored<Document>): Write[] {
  const { id, organizationId, original, attachments, signed } = document;
  const uploaded = [original, ...attachments].map(({ key }) => key);
  return [
    documentItems.deleting(document),
    ...listing(document, undefined),
    storing(organizationId, -(storedBytes(document) + (signed?.size ?? 0))),
    taskMessage({ task: 'forgetDocument', documentId: id, keys: uploaded }),
  ];
}

const DELETED_AT_ONCE = 5;

/** Deletes the newest documents of a list, after `announce` has recorded their event. Answers how many it found. */
export async function deleteListed(
  scope: ListScope,
  limit: number,
  announce?: (documents: readonly Document[]) => Promise<void>,
): Promise<number> {
  const { ids } = await documentList(scope).slice({ offset: 0, limit });
  if (announce) await announce(await documentItems.getMany(ids));
  for (let from = 0; from < ids.length; from += DELETED_AT_ONCE) {
    await Promise.all(ids.slice(from, from + DELETED_AT_ONCE).map(deleteWithoutEvent));
  }
  return ids.length;
}

const deleteWithoutEvent = (id: string): Promise<void> =>
  retryOnConflict(async () => {
    const document = await documentItems.get(id);
    if (!document) return;
    await finishCreationOf(document);
    const writes = deleting(document);
    await commit(writes);
    await sendRecordedTasks(writes);
  });

type DeletionAction = 'DeletedByUserOrApplication' | 'DeletedByOrganization' | 'DeletedByFolder';

/** The most documents that one event lists, however many are deleted. */
export const MAX_DOCUMENTS_PER_EVENT = 100;

/** DocumentDeleted for these documents, to be committed with their deletion. An empty list records nothing. */
export async function recordDeletedNotification(
  organizationId: string,
  documents: readonly Document[],
  action: DeletionAction,
): Promise<Recording> {
  if (documents.length === 0) return recording(webhooks, organizationId, []);
  const listed = documents.slice(0, MAX_DOCUMENTS_PER_EVENT);
  const locationOf = await locateAll(listed);
  const data = { documents: listed.map((document) => commonFields(document, locationOf(document))), action };
  return recording(webhooks, organizationId, [{ type: 'DocumentDeleted', data }]);
}

/** Removes files that no document has any more, with their uploads. Running it twice does no harm. */
export async function removeFiles(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await files('documents').remove(key);
    const uploadId = uploadOf(key);
    if (uploadId !== undefined) await clearPartition('documents', `UPLOAD#${uploadId}`);
  }
}

/** Removes the remains of a deleted document: its files, and the tickets and tokens to act on it. */
export async function forgetDocument(documentId: string, keys: readonly string[]): Promise<void> {
  await clearPartition('documents', `DOCUMENT#${documentId}`);
  await removeFiles(keys);
  for (;;) {
    const { files: left, cursor } = await files('documents').list(`documents/${documentId}/`);
    await Promise.all(left.map(({ key }) => files('documents').remove(key)));
    if (cursor === undefined) return;
  }
}
