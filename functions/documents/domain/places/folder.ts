import type { Caller } from '../../../../shared/access/caller.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import type { StateOf } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import type { folderStates } from './folder-states.ts';
import { isInScope, organizations } from './organization.ts';

export type Folder = {
  readonly id: string;
  readonly organizationId: string;
  readonly parentId: string | null;
  /** The folders above, the outermost first; they never change. A folder of before the field has none written. */
  readonly ancestorIds?: readonly string[];
  readonly name: string;
  readonly state: StateOf<typeof folderStates>;
  readonly createdAtMs: number;
  /** Its deletion was told of. */
  readonly isTold?: boolean;
};

export const folders = collection<Folder, string>({
  service: 'documents',
  name: 'folder',
  id: ({ id }) => id,
  key: (id) => ({ pk: `FOLDER#${id}`, sk: 'FOLDER' }),
});

/** A folder outside the key's scope, or one that is deleted with anything it is in, is one that does not exist. */
export async function findFolder(id: string, caller: Pick<Caller, 'registered'>): Promise<Stored<Folder>> {
  const found = await folders.get(id);
  if (found && isInScope(found.organizationId, caller)) {
    const [organization, open] = await Promise.all([
      organizations.get(found.organizationId),
      openFolders([found]),
    ]);
    if (organization?.state === 'Active' && open.has(id)) return found;
  }
  throw folderNotFound(id);
}

/** The ids of those that are open: neither they nor any folder above is being deleted. */
export async function openFolders(found: readonly Folder[]): Promise<ReadonlySet<string>> {
  const above = new Map(
    await Promise.all(found.map(async (each) => [each.id, await ancestorIdsOf(each)] as const)),
  );
  const known = new Map(found.map((folder) => [folder.id, folder]));
  const unread = new Set([...above.values()].flat().filter((id) => !known.has(id)));
  for (const folder of unread.size > 0 ? await folders.getMany([...unread]) : [])
    known.set(folder.id, folder);
  const isOpen = (id: string): boolean => known.get(id)?.state === 'Active';
  return new Set(found.map(({ id }) => id).filter((id) => [id, ...(above.get(id) ?? [])].every(isOpen)));
}

/** The way to a folder, the outermost first. */
export const parentsOf = async (folder: Folder): Promise<Folder[]> =>
  folders.getMany(await ancestorIdsOf(folder));

/** The folders above a folder, the outermost first, as far as they are there. */
export async function ancestorIdsOf({
  ancestorIds,
  parentId,
}: Pick<Folder, 'ancestorIds' | 'parentId'>): Promise<readonly string[]> {
  if (ancestorIds || parentId === null) return ancestorIds ?? [];
  const parent = await folders.get(parentId);
  return parent ? [...(await ancestorIdsOf(parent)), parentId] : [parentId];
}

export const folderNotFound = (id: string) =>
  errors.refuse('FolderNotFound', { resourceName: 'Folder', resourceId: id });
