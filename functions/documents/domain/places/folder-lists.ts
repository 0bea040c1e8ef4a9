import { numberedList } from '../../../../shared/store/lists/numbered-list.ts';
import type { Write } from '../../../../shared/store/write.ts';
import type { Folder } from './folder.ts';

/** What a list of folders holds: those in a folder, those of an organization that are in none, or all it has. */
export type FolderScope =
  | { readonly parentId: string }
  | { readonly organizationId: string; readonly only: 'roots' | 'all' };

const nameOf = (scope: FolderScope): string =>
  'parentId' in scope
    ? `folders/folder/${scope.parentId}`
    : `folders/organization/${scope.organizationId}/${scope.only}`;

/** One list of folder ids, by when they were made. @example await folderList({ parentId }).slice({ offset: 0, limit: 50 }) */
export const folderList = (scope: FolderScope) => numberedList({ service: 'documents', name: nameOf(scope) });

type Listed = Pick<Folder, 'id' | 'organizationId' | 'parentId' | 'createdAtMs'>;

const listsOf = ({ organizationId, parentId }: Listed) => [
  folderList({ organizationId, only: 'all' }),
  folderList(parentId === null ? { organizationId, only: 'roots' } : { parentId }),
];

/** The writes for a folder that appears. */
export const listingFolder = (folder: Listed): Write[] =>
  listsOf(folder).flatMap((list) => list.adding(folder.id, folder.createdAtMs));

/** The writes for a folder that goes. */
export const unlistingFolder = (folder: Listed): Write[] =>
  listsOf(folder).flatMap((list) => list.removing(folder.id, folder.createdAtMs));
