import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { operatorSessions } from '../../config/operator-sessions.ts';
import { basePath } from '../domain/return-path.ts';
import { openPage } from '../http/open-page.ts';
import { noSessionCookie, sessionIn } from '../http/session-cookie.ts';

/** Needs no session: who has none, or one that is over, is logged out all the same. */
export const handler = openPage(
  {
    route: 'POST /api/auth/logout',
    summary: 'Log out',
    description: 'Ends the session on the server, clears the cookie, and leads to the login page.',
    tag: 'auth',
    answers: { 303: REDIRECT },
    refuses: ['auth.cross-origin'],
    undocumented: false,
    rate: 'Login',
  },
  async ({ cookies }) => {
    await operatorSessions.end(sessionIn(cookies) ?? '');
    return redirect(`${basePath()}/login`, { status: 303, cookies: [noSessionCookie()] });
  },
);
