import { Folders, FoldersQuery } from '../../contract/folders.ts';
import { listFolders } from '../../domain/lists/list-folders.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/folders',
    can: 'documents.read',
    summary: 'List the folders of an organization or of a folder',
    description:
      'Answers one page of folders, newest first unless `order` says otherwise. Continue with `nextCursor`.',
    query: FoldersQuery,
    answers: { 200: Folders },
    refuses: ['OrganizationRequired', 'OrganizationNotFound', 'FolderNotFound'],
  },
  async ({ query, caller }) => listFolders(caller, query),
);
