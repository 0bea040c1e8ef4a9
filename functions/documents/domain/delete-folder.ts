import type { Caller } from '../../../shared/access/caller.ts';
import { send } from '../../../shared/queue/send.ts';
import type { Stored } from '../../../shared/store/collection.ts';
import { RaceLost } from '../../../shared/store/refusals.ts';
import { transition } from '../../../shared/store/state-machine.ts';
import type { Write } from '../../../shared/store/write.ts';
import { deciding, sendRecorded } from './change-document.ts';
import { deleteListed } from './delete-document.ts';
import { MOST_TOLD, tellingDeleted } from './deleted-notice.ts';
import { type Folder, findFolder, folders } from './folder.ts';
import { folderList, unlistingFolder } from './folder-lists.ts';
import { folderStates } from './folder-states.ts';
import { documentsWithin } from './folder-tree.ts';
import { doing, TASKS_QUEUE } from './tasks.ts';

/** Deletes a folder with all it holds. From here on it does not exist; what it holds goes in the background. */
export const deleteFolder = (id: string, caller: Caller): Promise<void> =>
  deciding(async () => {
    const folder = await findFolder(id, caller);
    const doomed = await documentsWithin(id, MOST_TOLD);
    const told = await tellingDeleted(folder.organizationId, doomed, 'DeletedByFolder');
    await closeFolder(folder, told.writes);
    await told.wake();
  });

/** Takes a folder off its lists and lets nothing into it any more, in one write with the task that empties it. */
async function closeFolder(folder: Stored<Folder>, told: readonly Write[] = []): Promise<void> {
  const task = doing({ task: 'deleteFolder', folderId: folder.id });
  const also = [...unlistingFolder(folder), ...told, task];
  await transition(folders, folderStates, folder, 'deleted', {}, { also });
  await sendRecorded([task]);
}

const DOCUMENTS_A_RUN = 100;
const FOLDERS_A_RUN = 25;

// Each folder of a tree has a task of its own, and none waits for another:
//
//   folder     |--closes the folders in it--documents, a part at a time--nothing left: gone
//   one in it          |--the same---------------------------------------------- gone
//
// Nothing comes into a closed folder, so one that is found empty stays so.

/** Empties a folder that is being deleted, a part at a time, and deletes it in the end. Doing it twice does no harm. */
export const emptyFolder = (folderId: string): Promise<'gone' | 'more' | 'deleted'> =>
  deciding(async () => {
    const folder = await folders.get(folderId);
    if (!folder || folder.state === 'Active') return 'gone';
    const closed = await closeFoldersIn(folderId);
    const documents = await deleteListed({ folderId }, DOCUMENTS_A_RUN);
    if (closed + documents > 0) {
      await send('documents', TASKS_QUEUE, { task: 'deleteFolder', folderId });
      return 'more';
    }
    await folders.delete(folder);
    return 'deleted';
  });

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
