import type { Stored } from '../../../shared/store/collection.ts';
import { type Document, documentItems } from './document.ts';
import { documentList } from './document-lists.ts';
import { type Folder, folders } from './folder.ts';
import { folderList } from './folder-lists.ts';

/** The way to a folder: those it is in, the outermost first. */
export async function parentsOf({ parentId }: Pick<Folder, 'parentId'>): Promise<Folder[]> {
  const parents: Folder[] = [];
  for (let id = parentId; id !== null; ) {
    const parent = await folders.get(id);
    if (!parent) break;
    parents.unshift(parent);
    id = parent.parentId;
  }
  return parents;
}

// A look through more folders than this would keep whoever asks waiting.
const FOLDERS_LOOKED_THROUGH = 500;

/** The first documents of a folder and of those below it, level by level, newest first in each. */
export async function documentsWithin(folderId: string, most: number): Promise<Stored<Document>[]> {
  const found: Stored<Document>[] = [];
  let level: readonly string[] = [folderId];
  for (let looked = 0; level.length > 0 && looked < FOLDERS_LOOKED_THROUGH; looked += level.length) {
    const next: string[] = [];
    for (const id of level) {
      const { ids } = await documentList({ folderId: id }).slice({ offset: 0, limit: most - found.length });
      found.push(...(await documentItems.getMany(ids)));
      if (found.length >= most) return found;
      const room = Math.max(0, FOLDERS_LOOKED_THROUGH - looked - next.length);
      const below = await folderList({ parentId: id }).slice({ offset: 0, limit: room });
      next.push(...below.ids);
    }
    level = next;
  }
  return found;
}
