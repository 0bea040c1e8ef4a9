import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { FolderParams } from '../../contract/folders.ts';
import { deleteFolder } from '../../domain/removal/delete-folder.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'DELETE /api/folders/{id}',
    can: 'documents.delete',
    summary: 'Delete a folder, with its folders and documents',
    description:
      'The folder does not exist from the answer on. Its folders and documents are deleted in the background.',
    params: FolderParams,
    answers: { 204: EMPTY },
    refuses: ['FolderNotFound'],
  },
  async ({ params, caller }) => {
    await deleteFolder(caller, params.id, Date.now());
    return empty(204);
  },
);
