import type { Caller } from '../../../../shared/access/caller.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import type { StateOf } from '../../../../shared/store/state-machine.ts';
import { errors } from '../../errors.ts';
import { isInScope } from '../organizations/organization.ts';
import type { folderStates } from './folder-states.ts';

export type Folder = {
  readonly id: string;
  readonly organizationId: string;
  readonly parentId: string | null;
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

/** A folder outside the key's scope, or one that is being deleted, is one that does not exist. */
export async function findFolder(id: string, caller: Pick<Caller, 'registered'>): Promise<Stored<Folder>> {
  const found = await folders.get(id);
  if (found?.state === 'Active' && isInScope(found.organizationId, caller)) return found;
  throw folderNotFound(id);
}

export const folderNotFound = (id: string) =>
  errors.refuse('FolderNotFound', { resourceName: 'Folder', resourceId: id });
