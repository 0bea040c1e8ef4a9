import type { Caller } from '../../../../shared/access/caller.ts';
import { forEachConcurrently } from '../../../../shared/async/for-each-concurrently.ts';
import { Refusal } from '../../../../shared/errors/errors.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { recordAndSend } from '../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { AlreadyExists, RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { changeDocument } from '../document/change-document.ts';
import { documentItems } from '../document/document.ts';
import { documentList } from '../document/document-lists.ts';
import { derivedGuid } from '../guids.ts';
import { creatingFolder } from '../places/create-folder.ts';
import {
  ancestorIdsOf,
  type Folder,
  findFolder,
  folderList,
  folderNotFound,
  folderStates,
  folders,
  isActiveFolder,
  unlistingFolder,
} from '../places/folder.ts';
import { TASKS_QUEUE, taskMessage } from '../tasks.ts';
import { secondsToLastCheck } from './last-check.ts';

/** Deletes a folder after its contents are moved. It stops existing at once; the contents exist all the time. */
export const deleteFolderMovingContent = (
  caller: Caller,
  id: string,
  destinationId: string | null,
  nowMs: number,
): Promise<void> =>
  retryOnConflict(async () => {
    const folder = await findFolder(caller, id);
    if (destinationId !== null) {
      const destination = await findFolder(caller, destinationId);
      const above = [destination.id, ...(await ancestorIdsOf(destination))];
      if (destination.organizationId !== folder.organizationId || above.includes(id))
        throw folderNotFound(destinationId);
    }
    await beginEmptying(folder, destinationId, nowMs);
  });

/** Takes a folder off its lists, in one write with the task that moves its contents. */
async function beginEmptying(
  folder: Stored<Folder>,
  movesTo: string | null,
  nowMs: number,
  more: readonly Write[] = [],
): Promise<void> {
  const task = taskMessage({ task: 'emptyFolder', folderId: folder.id });
  const also = [...unlistingFolder(folder), ...more, task];
  await transition(folders, folderStates, folder, 'emptied', { deletedAtMs: nowMs, movesTo }, { also });
}

const DOCUMENTS_PER_RUN = 100;
const FOLDERS_PER_RUN = 25;
const MOVED_AT_ONCE = 5;

// A folder never moves, so each folder in it is made again at the destination, by the same name, and is emptied into it:
//
//   folder      |--its folders are made again, its documents moved, a part at a time--nothing left  ...  |--last check--|--gone
//   sub-folder         |--the same-------------------------------------------------nothing left  ...  |--last check--|--gone
//
// A writer that read the folder as active may still put something in: the last check moves that too (last-check.ts).

/** Moves the contents of a folder, a part at a time, then deletes it. Running it twice does no harm. */
export const moveFolderContents = (
  folderId: string,
  nowMs: number,
): Promise<'gone' | 'more' | 'waiting' | 'deleted'> =>
  retryOnConflict(async () => {
    const folder = await folders.get(folderId);
    if (folder?.state !== 'Emptying') return 'gone';
    const destination = await destinationOf(folder);
    const moved =
      (await moveFolders(folder, destination, nowMs)) + (await moveAll(folderId, destination, nowMs));
    const delaySeconds = moved === 0 ? secondsToLastCheck(folder, nowMs) : 0;
    if (moved === 0 && delaySeconds <= 0) {
      await folders.delete(folder);
      return 'deleted';
    }
    const id = `emptyFolder:${folderId}`;
    await recordAndSend('documents', TASKS_QUEUE, { task: 'emptyFolder', folderId }, { delaySeconds, id });
    return moved === 0 ? 'waiting' : 'more';
  });

/** Where the contents go. A destination that was deleted or emptied meanwhile is followed, at last to the root. */
async function destinationOf({ movesTo = null }: Folder): Promise<Stored<Folder> | null> {
  for (let id = movesTo; id !== null; ) {
    const found = await folders.get(id);
    if (found && isActiveFolder(found)) return found;
    id = found?.state === 'Emptying' ? (found.movesTo ?? null) : null;
  }
  return null;
}

async function moveFolders(
  { id: parentId, organizationId }: Folder,
  destination: Stored<Folder> | null,
  nowMs: number,
): Promise<number> {
  const { ids } = await folderList({ parentId }).slice({ offset: 0, limit: FOLDERS_PER_RUN });
  const open = (await folders.getMany(ids)).filter(isActiveFolder);
  for (const folder of open) {
    const id = derivedGuid('moved folder', folder.id, destination?.id ?? '');
    const again = { id, name: folder.name, parent: destination, organizationId };
    // Where folders can be nested no deeper, the contents go right into the destination.
    const made = await creatingFolder(again, nowMs).catch(ifThrown(Refusal));
    const movesTo = made ? id : (destination?.id ?? null);
    // Another run has begun it, with its task.
    await beginEmptying(folder, movesTo, nowMs, made?.writes)
      .catch(ifThrown(RaceLost))
      .catch(ifThrown(AlreadyExists));
  }
  return ids.length;
}

async function moveAll(folderId: string, destination: Stored<Folder> | null, nowMs: number): Promise<number> {
  const { ids } = await documentList({ folderId }).slice({ offset: 0, limit: DOCUMENTS_PER_RUN });
  const patch = { folderId: destination?.id ?? null };
  await forEachConcurrently(MOVED_AT_ONCE, ids, (id) =>
    retryOnConflict(async () => {
      const document = await documentItems.get(id);
      if (document?.folderId === folderId) await changeDocument(document, { event: 'moved', patch, nowMs });
    }),
  );
  return ids.length;
}
