import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pki } from '../../service.ts';
import { BioEnrollmentSessionStatusModel, CompleteBioSessionRequest } from '../contract/sessions.ts';
import { completeSession } from '../domain/complete-session.ts';
import { enrollmentStatus } from '../domain/status.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/bio/sessions/enrollment/completion',
    summary: 'Complete an enrollment session',
    description:
      'Answers the outcome of the session for the ticket that the return carried. A ticket completes once.',
    body: jsonBody(CompleteBioSessionRequest),
    answers: { 200: BioEnrollmentSessionStatusModel },
    refuses: ['InvalidTicket', 'TicketAlreadyUsed'],
    permission: 'biometrics',
  },
  async ({ body, caller }) =>
    enrollmentStatus(await completeSession(caller, { kind: 'enrollment', ...body }, Date.now())),
);
