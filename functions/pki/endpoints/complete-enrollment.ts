import { jsonBody } from '../../../shared/http/body/reader.ts';
import { BioEnrollmentSessionStatusModel, CompleteBioSessionRequest } from '../contract/biometrics.ts';
import { completeSession } from '../domain/biometrics/complete-session.ts';
import { enrollmentStatus } from '../domain/biometrics/status.ts';
import { pki } from '../service.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /api/bio/sessions/enrollment/completion',
    summary: 'Complete an enrollment session',
    body: jsonBody(CompleteBioSessionRequest),
    answers: { 200: BioEnrollmentSessionStatusModel },
    refuses: ['InvalidTicket', 'TicketAlreadyUsed'],
    permission: 'biometrics',
  },
  async ({ body, caller }) => enrollmentStatus(await completeSession('enrollment', body.ticket, caller)),
);
