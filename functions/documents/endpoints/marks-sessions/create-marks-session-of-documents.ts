import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { CreateDocuments } from '../../contract/create-document.ts';
import { CreatedMarksSession } from '../../contract/marks-sessions.ts';
import { SESSION_CODES } from '../../contract/refusals.ts';
import { createMarksSession } from '../../domain/marks-sessions/marks-session.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/marks-sessions/documents',
    can: 'documents.send',
    summary: 'Have a person place the marks of documents to be created',
    description:
      'Takes what POST /api/documents takes, and creates no document. Send `data` of GET /api/marks-sessions/{id} there afterwards.',
    body: jsonBody(CreateDocuments),
    answers: { 200: CreatedMarksSession },
    refuses: SESSION_CODES,
  },
  async ({ body, caller }) => createMarksSession(caller, body, Date.now()),
);
