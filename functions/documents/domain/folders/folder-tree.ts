import { type Folder, folders } from './folder.ts';

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
