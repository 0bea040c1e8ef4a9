import { FolderDetails, FolderParams } from '../../contract/folders.ts';
import { readFolder } from '../../domain/lists/list-folders.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/folders/{id}/details',
    summary: 'Read a folder, with the folders above it',
    params: FolderParams,
    answers: { 200: FolderDetails },
    refuses: ['FolderNotFound'],
  },
  async ({ params, caller }) => readFolder(caller, params.id),
);
