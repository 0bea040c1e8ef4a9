import { FolderParams, FolderWithOrganization } from '../../contract/folders.ts';
import { readFolderOf } from '../../domain/lists/list-folders.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/folders/{id}',
    can: 'documents.read',
    summary: 'Read a folder',
    description: 'Answers the folder and its organization.',
    params: FolderParams,
    answers: { 200: FolderWithOrganization },
    refuses: ['FolderNotFound'],
  },
  async ({ params, caller }) => readFolderOf(caller, params.id),
);
