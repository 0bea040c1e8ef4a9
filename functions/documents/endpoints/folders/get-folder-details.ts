import { FolderDetails, FolderParams } from '../../contract/folders.ts';
import { readFolder } from '../../domain/lists/list-folders.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/folders/{id}/details',
    can: 'documents.read',
    summary: 'Read a folder, with the path to it',
    description: 'Answers the folder, the folders that it is in, and how many documents it holds itself.',
    params: FolderParams,
    answers: { 200: FolderDetails },
    refuses: ['FolderNotFound'],
  },
  async ({ params, caller }) => readFolder(caller, params.id),
);
