import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { approverSessions } from '../approver-sessions.ts';
import { portalPath } from '../pages/portal-frame.ts';
import { approverCookie, portalEndpoint } from '../portal.ts';

/** Ends the session on the server. The link opens another one. */
export const handler = portalEndpoint(
  { route: 'POST /approvals/leave', summary: 'Leave the approver portal', answers: { 303: REDIRECT } },
  async (_, { cookie }) => {
    await approverSessions.end(cookie);
    return redirect(portalPath(), { status: 303, cookies: [approverCookie('')] });
  },
);
