import type { Caller } from '../../../../shared/access/caller.ts';
import { containsText, entryContainsText } from '../../../../shared/store/lists/contains-text.ts';
import { documentList } from '../document/document-lists.ts';
import {
  type Folder,
  type FolderScope,
  findFolder,
  folderList,
  folderNotFound,
  folders,
  openFolderIds,
  parentsOf,
  renderFolder,
} from '../places/folder.ts';
import { findOrganization, homeOrganizationOf } from '../places/organization.ts';
import { type ListPage, listPage, type PageRequest } from './list-page.ts';

export type ListFoldersRequest = PageRequest & {
  readonly organizationId?: string | undefined;
  readonly filterByParent?: boolean | undefined;
  readonly parentId?: string | undefined;
  readonly q?: string | undefined;
};

/** Lists the folders of an organization: all of them, those at its root, or those in one folder. */
export async function listFolders(
  caller: Caller,
  request: ListFoldersRequest,
): Promise<ListPage<ReturnType<typeof renderFolder>>> {
  const list = folderList(await scopeOf(caller, request));
  const { q } = request;
  const filter = q !== undefined && {
    matches: ({ name }: Folder) => containsText(q, [name]),
    entryMatches: (entry: Parameters<typeof entryContainsText>[1]) => entryContainsText(q, entry),
  };
  const page = await listPage({ list, read: folders.getMany, ...filter }, request);
  // Folders below a deleted one stay on the list of all until its task deletes them.
  const open = await openFolderIds(page.items);
  return { ...page, items: page.items.filter(({ id }) => open.has(id)).map(renderFolder) };
}

async function scopeOf(caller: Caller, request: ListFoldersRequest): Promise<FolderScope> {
  const { parentId, filterByParent = parentId !== undefined } = request;
  const requestedId = request.organizationId ?? homeOrganizationOf(caller);
  const { id: organizationId } = await findOrganization(caller, requestedId);
  if (!filterByParent) return { organizationId, only: 'all' };
  if (parentId === undefined) return { organizationId, only: 'roots' };
  const parent = await findFolder(caller, parentId);
  if (request.organizationId === undefined || parent.organizationId === organizationId) return { parentId };
  throw folderNotFound(parentId);
}

/** Reads one folder, and the organization that it is of. */
export async function readFolderOf(caller: Caller, id: string) {
  const folder = await findFolder(caller, id);
  const organization = await findOrganization(caller, folder.organizationId);
  return { ...renderFolder(folder), organization: organization.identifier === null ? null : organization };
}

/** Reads one folder with the folders above it, and the number of documents directly in it. */
export async function readFolder(caller: Caller, id: string) {
  const folder = await findFolder(caller, id);
  const [parents, { total }] = await Promise.all([
    parentsOf(folder),
    documentList({ folderId: id }).slice({ offset: 0, limit: 0 }),
  ]);
  return {
    ...renderFolder(folder),
    parents: parents.map(({ id: parentId, name }) => ({ id: parentId, name })),
    documentCount: total,
  };
}
