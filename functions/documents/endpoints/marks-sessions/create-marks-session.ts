import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { CreatedMarksSession, MarksSessionRequest } from '../../contract/marks-sessions.ts';
import { SESSION_CODES } from '../../contract/refusals.ts';
import { createMarksSession } from '../../domain/marks-sessions/marks-session.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/marks-sessions',
    can: 'documents.send',
    summary: 'Have a person place the marks of actions on files',
    description:
      'Show `embedUrl` in a frame. GET /api/marks-sessions/{id} answers the request with the marks that were placed there.',
    body: jsonBody(MarksSessionRequest),
    answers: { 200: CreatedMarksSession },
    refuses: SESSION_CODES,
  },
  async ({ body, caller }) => createMarksSession(caller, body, Date.now()),
);
