import type { Caller } from '../../../../shared/access/caller.ts';
import { ifThrown } from '../../../../shared/errors/expected.ts';
import { recordAndSend } from '../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import type { Document } from '../document/document.ts';
import {
  type Folder,
  findFolder,
  folderList,
  folderStates,
  folders,
  isActiveFolder,
  unlistingFolder,
} from '../places/folder.ts';
import { TASKS_QUEUE, taskMessage } from '../tasks.ts';
import { announceDeletion } from './announce-deletion.ts';
import { deleteListed } from './delete-document.ts';
import { secondsToLastCheck } from './last-check.ts';

/** Deletes a folder with its contents. It stops existing at once; the contents are deleted in the background. */
export const deleteFolder = (caller: Caller, id: string, nowMs: number): Promise<void> =>
  retryOnConflict(async () => {
    await closeFolder(await findFolder(caller, id), nowMs);
  });

/** Takes a folder off its lists and closes it, in one write with the task that empties it. */
async function closeFolder(folder: Stored<Folder>, nowMs: number): Promise<void> {
  const task = taskMessage({ task: 'deleteFolder', folderId: folder.id });
  const also = [...unlistingFolder(folder), task];
  await transition(folders, folderStates, folder, 'deleted', { deletedAtMs: nowMs }, { also });
}

const DOCUMENTS_PER_RUN = 100;
const FOLDERS_PER_RUN = 25;

// Each folder of a tree has its own task and its own last check, and none waits for another:
//
//   folder     |--closes its sub-folders--documents, a part at a time--nothing left   ...   |--last check--|--deleted
//   sub-folder        |--the same------------------------------------------nothing left   ...   |--last check--|--deleted
//
// Each run records the event of the documents it found before it deletes them. A sub-folder or a document that a
// writer put in after it had read the folder as active is found by the last check at the latest (last-check.ts).

/** Empties a folder that is being deleted, a part at a time, then deletes it. Running it twice does no harm. */
export const emptyFolder = (
  folderId: string,
  nowMs: number,
): Promise<'gone' | 'more' | 'waiting' | 'deleted'> =>
  retryOnConflict(async () => {
    const folder = await folders.get(folderId);
    if (!folder || isActiveFolder(folder)) return 'gone';
    const closed = await closeFoldersIn(folderId, nowMs);
    const announce = (documents: readonly Document[]) => announceDocuments(folder, documents);
    const documents = await deleteListed({ folderId }, DOCUMENTS_PER_RUN, announce);
    const isEmpty = closed + documents === 0;
    const delaySeconds = isEmpty ? secondsToLastCheck(folder, nowMs) : 0;
    if (isEmpty && delaySeconds <= 0) {
      await folders.delete(folder);
      return 'deleted';
    }
    const task = { task: 'deleteFolder', folderId };
    const id = `deleteFolder:${folderId}`;
    await recordAndSend('documents', TASKS_QUEUE, task, { delaySeconds, id });
    return isEmpty ? 'waiting' : 'more';
  });

const announceDocuments = (folder: Stored<Folder>, documents: readonly Document[]): Promise<void> =>
  announceDeletion(
    {
      organizationId: folder.organizationId,
      action: 'DeletedByFolder',
      announcedIds: folder.announcedIds,
      save: (announcedIds, also) => folders.change(folder, { announcedIds }, { also }),
    },
    documents,
  );

async function closeFoldersIn(parentId: string, nowMs: number): Promise<number> {
  const { ids } = await folderList({ parentId }).slice({ offset: 0, limit: FOLDERS_PER_RUN });
  const open = (await folders.getMany(ids)).filter(isActiveFolder);
  for (const folder of open) {
    // Another run closed it, with its task.
    await closeFolder(folder, nowMs).catch(ifThrown(RaceLost));
  }
  return ids.length;
}
