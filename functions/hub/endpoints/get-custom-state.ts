import { CustomState, SessionQuery } from '../contract.ts';
import { readCustomState } from '../domain/session.ts';
import { hub } from '../service.ts';

export const handler = hub.endpoint(
  {
    route: 'GET /api/sessions/custom-state',
    summary: 'Read the custom state of a session',
    description:
      'Answers the `customState` that was given when the session was created, as a bare JSON string, or null.',
    tag: 'sessions',
    query: SessionQuery,
    answers: { 200: CustomState },
    refuses: ['SessionInvalidOrAlreadyUsed'],
  },
  async ({ query, caller }) => readCustomState(caller, query.session, Date.now()),
);
