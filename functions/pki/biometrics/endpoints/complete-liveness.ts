import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { CompleteBioSessionRequest, LivenessSessionStatusModel } from '../contract/sessions.ts';
import { completeSession } from '../domain/complete-session.ts';
import { livenessStatus } from '../domain/status.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/bio/sessions/liveness/completion',
    summary: 'Complete a liveness session',
    description:
      'Answers the outcome of the session for the ticket that the return carried. A ticket completes once.',
    body: jsonBody(CompleteBioSessionRequest),
    answers: { 200: LivenessSessionStatusModel },
    refuses: ['InvalidTicket', 'TicketAlreadyUsed'],
    permission: 'biometrics',
  },
  async ({ body, caller }) =>
    livenessStatus(await completeSession(caller, { kind: 'liveness', ...body }, Date.now())),
);
