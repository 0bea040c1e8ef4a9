import type { Caller } from '../../../../shared/access/caller.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { clearPartition } from '../../../../shared/store/partition.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { type Recording, recording } from '../../../../shared/webhooks/recording.ts';
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

/** Deletes a document with all it has: in any state, and for ever. */
export const deleteDocument = (id: string, caller: Caller): Promise<void> =>
  retryOnConflict(async () => {
    const document = await findDocument(id, caller);
    await finishCreationOf(document);
    const told = await recordDeletedNotification(
      document.organizationId,
      [document],
      'DeletedByUserOrApplication',
    );
    const writes = deleting(document);
    await commit([...writes, ...told.writes]);
    await Promise.all([told.wake(), sendRecordedTasks(writes)]);
  });

/** A creation that was interrupted still knows the document, and would make it again. */
async function finishCreationOf({ creationId }: Document): Promise<void> {
  if (creationId !== undefined) await runCreation(creationId);
}

/** The writes by which a document goes. Two deletions at once: one has them refused, and finds it gone. */
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

/** Deletes the newest documents of a list, once `tell` has told of them. Answers how many were found. */
export async function deleteListed(
  scope: ListScope,
  most: number,
  tell?: (doomed: readonly Document[]) => Promise<void>,
): Promise<number> {
  const { ids } = await documentList(scope).slice({ offset: 0, limit: most });
  if (tell) await tell(await documentItems.getMany(ids));
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

export type DeletionAction = 'DeletedByUserOrApplication' | 'DeletedByOrganization' | 'DeletedByFolder';

/** An event lists no more documents, however many are deleted. */
export const MAX_DOCUMENTS_PER_EVENT = 100;

/** What is told of documents that are to be deleted, to be recorded with their deletion. None, nothing is told. */
export async function recordDeletedNotification(
  organizationId: string,
  documents: readonly Document[],
  action: DeletionAction,
): Promise<Recording> {
  if (documents.length === 0) return recording(webhooks, organizationId, []);
  const told = documents.slice(0, MAX_DOCUMENTS_PER_EVENT);
  const where = await locateAll(told);
  const data = { documents: told.map((document) => commonFields(document, where(document))), action };
  return recording(webhooks, organizationId, [{ type: 'DocumentDeleted', data }]);
}

/** Removes files that no document has any more, with the uploads that brought them. Doing it twice does no harm. */
export async function removeFiles(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await files('documents').remove(key);
    const uploadId = uploadOf(key);
    if (uploadId !== undefined) await clearPartition('documents', `UPLOAD#${uploadId}`);
  }
}

/** Removes what a deleted document left: its files, and the tickets and tokens to act on it. */
export async function forgetDocument(documentId: string, keys: readonly string[]): Promise<void> {
  await clearPartition('documents', `DOCUMENT#${documentId}`);
  await removeFiles(keys);
  for (;;) {
    const { files: left, cursor } = await files('documents').list(`documents/${documentId}/`);
    await Promise.all(left.map(({ key }) => files('documents').remove(key)));
    if (cursor === undefined) return;
  }
}
