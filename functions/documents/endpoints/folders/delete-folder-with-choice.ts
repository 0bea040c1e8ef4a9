import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { DeleteFolder, FolderParams } from '../../contract/folders.ts';
import { deleteFolder } from '../../domain/removal/delete-folder.ts';
import { deleteFolderMovingContent } from '../../domain/removal/empty-folder.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/folders/{id}/delete',
    can: 'documents.delete',
    summary: 'Delete a folder, and delete or move its content',
    description:
      'The folder does not exist from the answer on. Its content is deleted or moved in the background; what is moved exists all the time. Folders in it are made again at the destination, with other ids.',
    params: FolderParams,
    body: jsonBody(DeleteFolder),
    answers: { 204: EMPTY },
    refuses: ['FolderNotFound'],
  },
  async ({ params, body, caller }) => {
    if (body.deleteAction === 'DeleteContent') await deleteFolder(caller, params.id, Date.now());
    else await deleteFolderMovingContent(caller, params.id, body.destinationFolderId, Date.now());
    return empty(204);
  },
);
