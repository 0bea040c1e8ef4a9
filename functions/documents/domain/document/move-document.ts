import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { findFolder, folderNotFound } from '../places/folder.ts';
import { changeDocument } from './change-document.ts';
import { findDocument } from './document.ts';

/** Moves a document to a folder of its organization, or with null to the root. */
export const moveDocument = (
  caller: Caller,
  id: string,
  folderId: string | null,
  nowMs: number,
): Promise<void> =>
  retryOnConflict(async () => {
    const document = await findDocument(caller, id);
    if (document.folderId === folderId) return;
    const folder = folderId === null ? null : await findFolder(caller, folderId);
    if (folder && folder.organizationId !== document.organizationId) throw folderNotFound(folder.id);
    // A folder that was deleted since is emptied once more, as with a new document (removal/last-check.ts).
    await changeDocument(document, { event: 'moved', patch: { folderId }, nowMs });
  });
