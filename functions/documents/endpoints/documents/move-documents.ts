import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { MoveDocuments, MovedDocuments } from '../../contract/documents.ts';
import { moveDocuments } from '../../domain/document/move-document.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/batch/folder',
    can: 'documents.change',
    summary: 'Move documents to another folder',
    description:
      'Moves up to 100 documents, each by itself: one that cannot be moved does not stop the others, and the answer says why.',
    body: jsonBody(MoveDocuments),
    answers: { 200: MovedDocuments },
    refuses: [],
  },
  async ({ body, caller }) => moveDocuments(caller, body, Date.now()),
);
