import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { DocumentParams, MoveDocument } from '../../contract/documents.ts';
import { moveDocument } from '../../domain/document/move-document.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/folder',
    can: 'documents.change',
    summary: 'Move a document to another folder',
    description:
      'Moves the document within its organization: to a folder, to a new one, or with neither of them to the root.',
    params: DocumentParams,
    body: jsonBody(MoveDocument),
    answers: { 200: EMPTY },
    refuses: ['DocumentNotFound', 'FolderNotFound', 'FolderTooDeep'],
  },
  async ({ params, body, caller }) => {
    await moveDocument(caller, params.id, body, Date.now());
    return empty(200);
  },
);
