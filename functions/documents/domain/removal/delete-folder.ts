import type { Caller } from '../../../../shared/access/caller.ts';
import { recordAndSend } from '../../../../shared/queue/outbox.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { transition } from '../../../../shared/store/state-machine.ts';
import { sendRecorded } from '../document/change-document.ts';
import { documentItems } from '../document/document.ts';
import { documentList } from '../document/document-lists.ts';
import { type Folder, findFolder, folders } from '../places/folder.ts';
import { folderList, unlistingFolder } from '../places/folder-lists.ts';
import { folderStates } from '../places/folder-states.ts';
import { doing, TASKS_QUEUE } from '../tasks.ts';
import { deleteListed } from './delete-document.ts';
import { MAX_DOCUMENTS_PER_EVENT, tellingDeleted } from './deleted-notice.ts';

/** Deletes a folder with all it holds. From here on it does not exist; what it holds goes in the background. */
export const deleteFolder = (id: string, caller: Caller): Promise<void> =>
  retryOnConflict(async () => {
    await closeFolder(await findFolder(id, caller));
  });

/** Takes a folder off its lists and lets nothing into it any more, in one write with the task that empties it. */
async function closeFolder(folder: Stored<Folder>): Promise<void> {
  const task = doing({ task: 'deleteFolder', folderId: folder.id });
  const also = [...unlistingFolder(folder), task];
  await transition(folders, folderStates, folder, 'deleted', {}, { also });
  await sendRecorded([task]);
}

const DOCUMENTS_A_RUN = 100;
const FOLDERS_A_RUN = 25;

// Each folder of a tree has a task of its own, and none waits for another:
//
//   folder     |--tells of its documents--closes the folders in it--documents, a part at a time--nothing left: gone
//   one in it                                  |--the same------------------------------------------------ gone
//
// Nothing comes into a closed folder: what is told of is all that was in it, and one that is found empty stays so.

/** Empties a folder that is being deleted, a part at a time, and deletes it in the end. Doing it twice does no harm. */
export const emptyFolder = (folderId: string): Promise<'gone' | 'more' | 'deleted'> =>
  retryOnConflict(async () => {
    const folder = await folders.get(folderId);
    if (!folder || folder.state === 'Active') return 'gone';
    if (!folder.isTold) await tellOf(folder);
    const closed = await closeFoldersIn(folderId);
    const documents = await deleteListed({ folderId }, DOCUMENTS_A_RUN);
    if (closed + documents > 0) {
      await recordAndSend('documents', TASKS_QUEUE, { task: 'deleteFolder', folderId });
      return 'more';
    }
    const emptied = await folders.get(folderId);
    if (emptied) await folders.delete(emptied);
    return 'deleted';
  });

/** Records once what is told of a folder's documents. */
async function tellOf(folder: Stored<Folder>): Promise<void> {
  const { ids } = await documentList({ folderId: folder.id }).slice({
    offset: 0,
    limit: MAX_DOCUMENTS_PER_EVENT,
  });
  const doomed = await documentItems.getMany(ids);
  const told = await tellingDeleted(folder.organizationId, doomed, 'DeletedByFolder');
  await folders.change(folder, { isTold: true }, { also: told.writes });
  await told.wake();
}

async function closeFoldersIn(parentId: string): Promise<number> {
  const { ids } = await folderList({ parentId }).slice({ offset: 0, limit: FOLDERS_A_RUN });
  const open = (await folders.getMany(ids)).filter(({ state }) => folderStates.allows(state, 'deleted'));
  for (const folder of open) {
    await closeFolder(folder).catch((error) => {
      if (!(error instanceof RaceLost)) throw error; // Somebody else closed it, with its task.
    });
  }
  return ids.length;
}
