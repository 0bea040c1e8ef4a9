import type { Caller } from '../../../../shared/access/caller.ts';
import { processWide } from '../../../../shared/async/process-wide.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { type Entry, numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { errors } from '../../errors.ts';
import { isoDate } from '../calendar.ts';
import { isActiveOrganization, isInScope, recentOrganization } from './organization.ts';

/**
 * A folder that is being deleted does not exist for callers. Its contents are deleted in the background, or moved: those
 * of a folder that is being emptied exist all the time. Its item stays until nothing can be created in it any more
 * (removal/last-check.ts).
 */
export const folderStates = stateMachine({
  Active: { deleted: 'Deleting', emptied: 'Emptying' },
  Deleting: {},
  Emptying: {},
});

export type Folder = {
  readonly id: string;
  readonly organizationId: string;
  readonly parentId: string | null;
  /** The folders above, the outermost first; they never change. Folders older than this field have none written. */
  readonly ancestorIds?: readonly string[];
  readonly name: string;
  readonly state: StateOf<typeof folderStates>;
  readonly createdAtMs: number;
  /** When its deletion was requested. */
  readonly deletedAtMs?: number;
  /** While it is being emptied: the folder that its contents go to, or null for the root. */
  readonly movesTo?: string | null;
  /** While it is being deleted: the documents whose deletion is already recorded for webhooks. */
  readonly announcedIds?: readonly string[];
};

export const folders = collection<Folder, string>({
  service: 'documents',
  name: 'folder',
  id: ({ id }) => id,
  key: (id) => ({ pk: `FOLDER#${id}`, sk: 'FOLDER' }),
});

/** Whether a folder itself takes contents. Folders above it are not checked. */
export const isActiveFolder = (folder: Pick<Folder, 'state'> | undefined): boolean =>
  folder !== undefined && folderStates.accepts(folder.state, 'deleted');

/** Whether the contents of a folder exist: it is active, or they are on their way to another one. */
const isOpenFolder = (folder: Pick<Folder, 'state'> | undefined): boolean =>
  folder !== undefined && folder.state !== 'Deleting';

/** Finds a folder. One outside the key's scope, or deleted with anything above it, does not exist. */
export async function findFolder(caller: Pick<Caller, 'registered'>, id: string): Promise<Stored<Folder>> {
  const found = await readOpenFolder(id);
  if (found && isActiveFolder(found) && isInScope(caller, found.organizationId)) {
    if (isActiveOrganization(await recentOrganization(found.organizationId))) return found;
  }
  throw folderNotFound(id);
}

// A folder never moves, so the ids above it never change. A process that has seen a folder reads it with all above it
// in one request.
const MAX_KNOWN_FOLDERS = 10_000;
const knownAncestors = () =>
  processWide('documents.folder-ancestors', () => new Map<string, readonly string[]>());

/** A folder, if neither it nor any folder above it is being deleted with its contents. */
export async function readOpenFolder(id: string): Promise<Stored<Folder> | undefined> {
  const known = knownAncestors().get(id);
  if (known) {
    const path = await folders.getMany([id, ...known]);
    return path.length === known.length + 1 && path.every(isOpenFolder) ? path[0] : undefined;
  }
  const folder = await folders.get(id);
  if (!folder) return undefined;
  const ancestorIds = await ancestorIdsOf(folder);
  if (knownAncestors().size >= MAX_KNOWN_FOLDERS) knownAncestors().clear();
  knownAncestors().set(id, ancestorIds);
  const above = ancestorIds.length > 0 ? await folders.getMany(ancestorIds) : [];
  const isOpen = above.length === ancestorIds.length && [folder, ...above].every(isOpenFolder);
  return isOpen ? folder : undefined;
}

/** The ids of the open folders among these: neither they nor any folder above is being deleted with its contents. */
export async function openFolderIds(found: readonly Folder[]): Promise<ReadonlySet<string>> {
  const above = new Map(
    await Promise.all(found.map(async (each) => [each.id, await ancestorIdsOf(each)] as const)),
  );
  const known = new Map(found.map((folder) => [folder.id, folder]));
  const unread = new Set([...above.values()].flat().filter((id) => !known.has(id)));
  for (const folder of unread.size > 0 ? await folders.getMany([...unread]) : [])
    known.set(folder.id, folder);
  const isOpen = (id: string): boolean => isOpenFolder(known.get(id));
  return new Set(found.map(({ id }) => id).filter((id) => [id, ...(above.get(id) ?? [])].every(isOpen)));
}

/** The folders above a folder, the outermost first. */
export const parentsOf = async (folder: Folder): Promise<Folder[]> =>
  folders.getMany(await ancestorIdsOf(folder));

/** The ids of the folders above a folder, the outermost first, as far as those folders exist. */
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

/** The contents of a list of folders: those in a folder, those at an organization's root, or all of an organization. */
export type FolderScope =
  | { readonly parentId: string }
  | { readonly organizationId: string; readonly only: 'roots' | 'all' };

const ROOTS = 'Roots';

/** One list of folder ids, by creation time. @example await folderList({ parentId }).slice({ offset: 0, limit: 50 }) */
export const folderList = (scope: FolderScope) =>
  'parentId' in scope
    ? numberedList({ service: 'documents', name: `folders/folder/${scope.parentId}` })
    : numberedList({
        service: 'documents',
        name: `folders/organization/${scope.organizationId}`,
        views: scope.only === 'roots' ? [ROOTS] : undefined,
      });

type ListedFolder = Pick<Folder, 'id' | 'organizationId' | 'parentId' | 'createdAtMs' | 'name'>;

const entryOf = ({ id, createdAtMs, parentId, name }: ListedFolder): Entry => ({
  id,
  atMs: createdAtMs,
  views: parentId === null ? [ROOTS] : [],
  facts: [name],
});

/** The organization's list has all folders; those in a folder have one of their own beside it. */
const listsOf = ({ organizationId, parentId }: ListedFolder) => [
  folderList({ organizationId, only: 'all' }),
  ...(parentId === null ? [] : [folderList({ parentId })]),
];

/** The writes that add a folder to its lists. */
export const listingFolder = (folder: ListedFolder): Write[] =>
  listsOf(folder).flatMap((list) => list.changing(undefined, entryOf(folder)));

/** The writes that remove a folder from its lists. */
export const unlistingFolder = (folder: ListedFolder): Write[] =>
  listsOf(folder).flatMap((list) => list.changing(entryOf(folder), undefined));

/** A folder as responses show it. */
export const renderFolder = ({ id, name, parentId, organizationId, createdAtMs }: Folder) => ({
  id,
  name,
  parentId,
  organizationId,
  creationDate: isoDate(createdAtMs),
});
