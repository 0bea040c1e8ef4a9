import type { Caller } from '../../../../shared/access/caller.ts';
import { listFolders } from './list-folders.ts';

/** A folder and how deep in the tree it is. */
export type TreeFolder = {
  readonly id: string;
  readonly name: string;
  readonly parentId: string | null;
  readonly depth: number;
};

// More than anybody finds their way in. Further ones are reached by their parents and by the API.
const MAX_FOLDERS = 500;

/** The folders of the caller's organization as a tree, each after its parent, by name. */
export async function readFolderTree(caller: Caller): Promise<readonly TreeFolder[]> {
  const { items } = await listFolders(caller, { limit: MAX_FOLDERS, offset: 0, order: 'Desc' });
  const known = new Set(items.map(({ id }) => id));
  const below = (parentId: string | null, depth: number): TreeFolder[] =>
    items
      // One whose parent is not among them is shown at the root.
      .filter((folder) =>
        parentId === null
          ? folder.parentId === null || !known.has(folder.parentId)
          : folder.parentId === parentId,
      )
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .flatMap(({ id, name, parentId: parent }) => [
        { id, name, parentId: parent, depth },
        ...below(id, depth + 1),
      ]);
  return below(null, 0);
}
