import type { Caller } from '../../../../shared/access/caller.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { findFolder, folderNotFound, folders } from '../places/folder.ts';
import { changeDocument } from './change-document.ts';
import { findDocument } from './document.ts';

/** Puts a document in a folder of its organization, or with none, at the root. */
export const moveDocument = (
  id: string,
  folderId: string | null,
  caller: Caller,
  nowMs: number,
): Promise<void> =>
  retryOnConflict(async () => {
    const document = await findDocument(id, caller);
    if (document.folderId === folderId) return;
    const folder = folderId === null ? null : await findFolder(folderId, caller);
    if (folder && folder.organizationId !== document.organizationId) throw folderNotFound(folder.id);
    // As with a new document: nothing comes into a folder that is being deleted.
    const also = folder ? [folders.unchanged(folder)] : [];
    await changeDocument(document, { event: 'moved', patch: { folderId }, also, nowMs });
  });
