import type { Caller } from '../../../../shared/access/caller.ts';
import { isoDate } from '../calendar.ts';
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
} from '../places/folder.ts';
import { findOrganization, homeOrganizationOf } from '../places/organization.ts';
import { holds, type ListPage, listPage, type PageRequest } from './list-page.ts';

export type ListFoldersRequest = PageRequest & {
  readonly organizationId?: string | undefined;
  readonly filterByParent?: boolean | undefined;
  readonly parentId?: string | undefined;
  readonly q?: string | undefined;
};

/** As the interface shows it. */
export const renderFolder = ({ id, name, parentId, organizationId, createdAtMs }: Folder) => ({
  id,
  name,
  parentId,
  organizationId,
  creationDate: isoDate(createdAtMs),
});

/** The folders of an organization: all of them, those at its root, or those in one folder. */
export async function listFolders(
  wanted: ListFoldersRequest,
  caller: Caller,
): Promise<ListPage<ReturnType<typeof renderFolder>>> {
  const list = folderList(await scopeOf(wanted, caller));
  const { q } = wanted;
  const matches = q === undefined ? undefined : ({ name }: Folder) => holds(q, [name]);
  const page = await listPage({ list, read: folders.getMany, matches }, wanted);
  // Folders below a deleted one are on the list of all until its task has come to them.
  const open = await openFolderIds(page.items);
  return { ...page, items: page.items.filter(({ id }) => open.has(id)).map(renderFolder) };
}

async function scopeOf(wanted: ListFoldersRequest, caller: Caller): Promise<FolderScope> {
  const { parentId, filterByParent = parentId !== undefined } = wanted;
  const asked = wanted.organizationId ?? homeOrganizationOf(caller);
  const { id: organizationId } = await findOrganization(asked, caller);
  if (!filterByParent) return { organizationId, only: 'all' };
  if (parentId === undefined) return { organizationId, only: 'roots' };
  const parent = await findFolder(parentId, caller);
  if (wanted.organizationId === undefined || parent.organizationId === organizationId) return { parentId };
  throw folderNotFound(parentId);
}

/** One folder with the way to it, and how many documents are right in it. */
export async function readFolder(id: string, caller: Caller) {
  const folder = await findFolder(id, caller);
  const [parents, { total }] = await Promise.all([
    parentsOf(folder),
    documentList({ folderId: id }).slice({ offset: 0, limit: 0 }),
  ]);
  const way = parents.map(({ id: parentId, name }) => ({ id: parentId, name }));
  return { ...renderFolder(folder), parents: way, documentCount: total };
}
