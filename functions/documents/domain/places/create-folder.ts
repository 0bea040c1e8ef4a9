import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import { commit } from '../../../../shared/store/commit.ts';
import { keepingAnswer } from '../../../../shared/store/kept-answers.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { ancestorIdsOf, type Folder, findFolder, folders, listingFolder, renderFolder } from './folder.ts';
import { homeOrganizationOf, requireActiveOrganization } from './organization.ts';

// A read of a document reads every folder above it at once, so the depth is bounded.
export const MAX_DEPTH = 20;

type CreateFolderRequest = { readonly name: string; readonly parentId: string | null };

export const createFolder = (
  caller: Caller,
  { name, parentId }: CreateFolderRequest,
  nowMs: number,
): Promise<Folder> =>
  retryOnConflict(async () => {
    const parent = parentId === null ? null : await findFolder(caller, parentId);
    const organizationId = parent?.organizationId ?? homeOrganizationOf(caller);
    if (!parent) await requireActiveOrganization(organizationId);
    const { folder, writes } = await creatingFolder({ name, parent, organizationId }, nowMs);
    await commit([...writes, ...(await keepingAnswer(renderFolder(folder)))]);
    return folder;
  });

type NewFolder = {
  /** A new one unless given. */
  readonly id?: string;
  readonly name: string;
  readonly parent: Folder | null;
  readonly organizationId: string;
};

// A folder is created in one that is being deleted:
//
//   create |--reads parent: Active------------- writes the child --|
//   delete      |--parent: Deleting--|--its contents--|              |--last check: the child too--|--parent gone
//
// The child's write does not check the parent: creations in one folder must not make each other wait.

/** A new folder, with the writes that create it. */
export async function creatingFolder(
  { id = randomUUID(), name, parent, organizationId }: NewFolder,
  nowMs: number,
): Promise<{ readonly folder: Folder; readonly writes: readonly Write[] }> {
  const ancestorIds = parent ? [...(await ancestorIdsOf(parent)), parent.id] : [];
  if (parent && ancestorIds.length >= MAX_DEPTH)
    throw errors.refuse('FolderTooDeep', { parentId: parent.id, limit: MAX_DEPTH });
  const folder: Folder = {
    id,
    organizationId,
    parentId: parent?.id ?? null,
    ancestorIds,
    name,
    state: 'Active',
    createdAtMs: nowMs,
  };
  return { folder, writes: [folders.creating(folder), ...listingFolder(folder)] };
}
