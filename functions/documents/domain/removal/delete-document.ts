import type { Caller } from '../../../../shared/access/caller.ts';
import { forEachConcurrently } from '../../../../shared/async/for-each-concurrently.ts';
import { files } from '../../../../shared/files/files.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { commit, fitsOneCommit } from '../../../../shared/store/commit.ts';
import { clearPartition } from '../../../../shared/store/partition.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { storing } from '../billing/usage.ts';
import { storedBytes } from '../creating/creating-document.ts';
import { creations, runCreation } from '../creating/creation.ts';
import { unpointing } from '../document/action-pointers.ts';
import {
  type Document,
  documentItems,
  documentPartition,
  findLocatedDocument,
} from '../document/document.ts';
import { documentList, type ListScope, listing } from '../document/document-lists.ts';
import { cancelingExpiry, type Task, taskMessage } from '../tasks.ts';
import { removingUpload } from '../uploads/upload.ts';
import { recordDeleted } from './announce-deletion.ts';

/** Deletes a document in any state, with all its files. It cannot be undone. */
export const deleteDocument = (caller: Caller, id: string): Promise<void> =>
  retryOnConflict(async () => {
    const { document, location } = await findLocatedDocument(caller, id);
    const { organizationId } = document;
    await finishCreationsOf([document]);
    const action = 'DeletedByUserOrApplication';
    const recorded = await recordDeleted(organizationId, [document], action, location);
    await commitDeletion([document], [...deletingOne(document), ...recorded.writes]);
  });

/** An interrupted creation still names its documents, and would create them again. */
async function finishCreationsOf(documents: readonly Document[]): Promise<void> {
  const ids = [...new Set(documents.flatMap(({ creationId }) => creationId ?? []))];
  if (ids.length === 0) return;
  for (const { id } of await creations.getMany(ids)) await runCreation(id);
}

/** The writes that delete a document. Of two deletions at once, one is refused and then finds it gone. */
const deletingOne = (document: Stored<Document>): Write[] => [
  documentItems.deleting(document),
  ...listing(document, undefined),
  ...unpointing(document),
  storing(document.organizationId, -(storedBytes(document) + (document.signed?.size ?? 0))),
  ...keysOf(document).flatMap(removingUpload),
  ...(document.expiresAtMs === null ? [] : [cancelingExpiry(document.id)]),
];

const keysOf = ({ original, attachments, signed }: Document): string[] =>
  [original, ...attachments, ...(signed ? [signed] : [])].map(({ key }) => key);

/** The task that removes what the deletion of documents leaves. */
const forgetting = (documents: readonly Document[]) =>
  taskMessage({
    task: 'forgetDocuments',
    documents: documents.map((document) => ({ documentId: document.id, keys: keysOf(document) })),
  });

const commitDeletion = (documents: readonly Document[], writes: readonly Write[]): Promise<void> =>
  commit([...writes, forgetting(documents)]);

const GROUPS_AT_ONCE = 5;

/** Deletes the newest documents of a list, after `announce` has recorded their event. Answers how many it found. */
export async function deleteListed(
  scope: ListScope,
  limit: number,
  announce: (documents: readonly Document[]) => Promise<void>,
): Promise<number> {
  const { ids } = await documentList(scope).slice({ offset: 0, limit });
  const documents = await documentItems.getMany(ids);
  await announce(documents);
  await finishCreationsOf(documents);
  await forEachConcurrently(GROUPS_AT_ONCE, groupsOf(documents), deleteTogether);
  return ids.length;
}

// Of the largest documents, 400 KB each, so many stay below the 4 MB of a transaction.
const MAX_DELETED_TOGETHER = 8;

type Group = { readonly documents: Stored<Document>[]; readonly writes: Write[] };

/** The documents in groups, each of which one transaction can delete. */
function groupsOf(documents: readonly Stored<Document>[]): Group[] {
  const groups: Group[] = [];
  for (const document of documents) {
    const group = groups.at(-1);
    const writes = deletingOne(document);
    const task = forgetting([document]); // It is one item for any number of documents.
    const isRoom = group !== undefined && group.documents.length < MAX_DELETED_TOGETHER;
    if (isRoom && fitsOneCommit([...group.writes, ...writes, task])) {
      group.documents.push(document);
      group.writes.push(...writes);
    } else groups.push({ documents: [document], writes });
  }
  return groups;
}

async function deleteTogether({ documents, writes }: Group): Promise<void> {
  try {
    await commitDeletion(documents, writes);
  } catch (error) {
    if (!(error instanceof RaceLost)) throw error;
    for (const { id } of documents) await deleteAlone(id); // One of them has changed since it was read.
  }
}

const deleteAlone = (id: string): Promise<void> =>
  retryOnConflict(async () => {
    const document = await documentItems.get(id);
    if (document) await commitDeletion([document], deletingOne(document));
  });

/** Removes files that no document has any more, with their uploads. Running it twice does no harm. */
export async function removeFiles(keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    await files('documents').remove(key);
    await commit(removingUpload(key));
  }
}

type Deleted = Extract<Task, { readonly task: 'forgetDocuments' }>['documents'];

const FORGOTTEN_AT_ONCE = 5;

/** Removes the remains of deleted documents: their files, and the tickets and tokens to act on them. */
export const forgetDocuments = (documents: Deleted): Promise<void> =>
  forEachConcurrently(FORGOTTEN_AT_ONCE, documents, async ({ documentId, keys }) => {
    await Promise.all([
      clearPartition('documents', documentPartition(documentId)),
      ...keys.map((key) => files('documents').remove(key)),
    ]);
    // The files of attempts to sign that were killed.
    for (;;) {
      const { files: left, cursor } = await files('documents').list(`documents/${documentId}/`);
      await Promise.all(left.map(({ key }) => files('documents').remove(key)));
      if (cursor === undefined) return;
    }
  });
