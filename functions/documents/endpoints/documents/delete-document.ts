import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { deleteDocument } from '../../domain/removal/delete-document.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'DELETE /api/documents/{id}',
    can: 'documents.delete',
    summary: 'Delete a document, with its files',
    description:
      'The document and its files do not exist from the answer on. The organization is told by a webhook.',
    params: DocumentParams,
    answers: { 204: EMPTY },
    refuses: ['DocumentNotFound'],
  },
  async ({ params, caller }) => {
    await deleteDocument(caller, params.id);
    return empty(204);
  },
);
