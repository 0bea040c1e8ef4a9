import { CustomState, SessionQuery } from '../contract.ts';
import { readCustomState } from '../domain/session.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'GET /api/sessions/custom-state',
    summary: 'The custom state given when the session was created, or null',
    query: SessionQuery,
    answers: { 200: CustomState },
    refuses: ['SessionInvalidOrAlreadyUsed'],
  },
  async ({ query, caller }) => readCustomState(caller, query.session, Date.now()),
);
