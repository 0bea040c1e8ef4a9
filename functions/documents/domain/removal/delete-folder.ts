import type { Caller } from '../../../../shared/access/caller.ts';
import { recordAndSend } from '../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { sendRecordedTasks } from '../document/change-document.ts';
import { documentItems } from '../document/document.ts';
import { documentList } from '../document/document-lists.ts';
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
import { deleteListed, MAX_DOCUMENTS_PER_EVENT, recordDeletedNotification } from './delete-document.ts';

/** Deletes a folder with its contents. It stops existing at once; the contents are deleted in the background. */
export const deleteFolder = (caller: Caller, id: string): Promise<void> =>
  retryOnConflict(async () => {
    await closeFolder(await findFolder(caller, id));
  });

/** Takes a folder off its lists and closes it, in one write with the task that empties it. */
async function closeFolder(folder: Stored<Folder>): Promise<void> {
  const task = taskMessage({ task: 'deleteFolder', folderId: folder.id });
  const also = [...unlistingFolder(folder), task];
  await transition(folders, folderStates, folder, 'deleted', {}, { also });
  await sendRecordedTasks([task]);
}

const DOCUMENTS_PER_RUN = 100;
const FOLDERS_PER_RUN = 25;

// Each folder of a tree has its own task, and none waits for another:
//
//   folder     |--records the event--closes its sub-folders--documents, a part at a time--nothing left: deleted
//   sub-folder                            |--the same------------------------------------------------- deleted
//
// A closed folder takes nothing in: the event lists all its documents, and a folder found empty stays empty.

/** Empties a folder that is being deleted, a part at a time, then deletes it. Running it twice does no harm. */
export const emptyFolder = (folderId: string): Promise<'gone' | 'more' | 'deleted'> =>
  retryOnConflict(async () => {
    const folder = await folders.get(folderId);
    if (!folder || isActiveFolder(folder)) return 'gone';
    if (!folder.isAnnounced) await announceDeletion(folder);
    const closed = await closeFoldersIn(folderId);
    const documents = await deleteListed({ folderId }, DOCUMENTS_PER_RUN);
    if (closed + documents > 0) {
      await recordAndSend('documents', TASKS_QUEUE, { task: 'deleteFolder', folderId });
      return 'more';
    }
    const emptied = await folders.get(folderId);
    if (emptied) await folders.delete(emptied);
    return 'deleted';
  });

/** Records the event of a folder's documents once. */
async function announceDeletion(folder: Stored<Folder>): Promise<void> {
  const { ids } = await documentList({ folderId: folder.id }).slice({
    offset: 0,
    limit: MAX_DOCUMENTS_PER_EVENT,
  });
  const documents = await documentItems.getMany(ids);
  const recorded = await recordDeletedNotification(folder.organizationId, documents, 'DeletedByFolder');
  await folders.change(folder, { isAnnounced: true }, { also: recorded.writes });
  await recorded.wake();
}

async function closeFoldersIn(parentId: string): Promise<number> {
  const { ids } = await folderList({ parentId }).slice({ offset: 0, limit: FOLDERS_PER_RUN });
  const open = (await folders.getMany(ids)).filter(isActiveFolder);
  for (const folder of open) {
    await closeFolder(folder).catch((error) => {
      if (!(error instanceof RaceLost)) throw error; // Another run closed it, with its task.
    });
  }
  return ids.length;
}
