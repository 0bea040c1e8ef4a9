import { MarksSessionModel, MarksSessionParams } from '../../contract/marks-sessions.ts';
import { getMarksSession } from '../../domain/marks-sessions/marks-session.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/marks-sessions/{id}',
    can: 'documents.send',
    summary: 'Get the marks that were placed',
    description: 'Answers the request of the session with the marks as they were placed last, for an hour.',
    params: MarksSessionParams,
    answers: { 200: MarksSessionModel },
    refuses: ['MarksSessionNotFound'],
  },
  async ({ params, caller }) => getMarksSession(caller, params.id, Date.now()),
);
