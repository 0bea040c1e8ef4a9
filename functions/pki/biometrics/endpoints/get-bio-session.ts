import { pki } from '../../service.ts';
import { BioSessionParams, BioSessionStatusModel } from '../contract/sessions.ts';
import { findSession } from '../domain/complete-session.ts';
import { statusOf } from '../domain/status.ts';

export const handler = pki.endpoint(
  {
    route: 'GET /api/bio/sessions/{kind}/{sessionId}',
    summary: 'Read the status of a biometric session',
    description: 'Answers the status by the id of the session. It spends no ticket.',
    params: BioSessionParams,
    answers: { 200: BioSessionStatusModel },
    refuses: ['BioSessionNotFound'],
    permission: 'biometrics',
  },
  async ({ params, caller }) => statusOf(await findSession(caller, params, Date.now())),
);
