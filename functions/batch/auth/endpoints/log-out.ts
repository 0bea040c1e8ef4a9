import { redirect } from '../../../../shared/http/answer.ts';
import { isCrossOrigin } from '../../../../shared/http/cross-origin.ts';
import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { errors } from '../../errors.ts';
import { operatorSessions } from '../../operator-sessions.ts';
import { batch } from '../../service.ts';
import { basePath } from '../domain/return-path.ts';
import { noSessionCookie, sessionIn } from '../http/session-cookie.ts';

/** Needs no session: who has none, or one that is over, is logged out all the same. */
export const handler = batch.endpoint(
  {
    route: 'POST /api/auth/logout',
    summary: 'Log out',
    description: 'Ends the session on the server, clears the cookie, and leads to the login page.',
    tag: 'auth',
    answers: { 303: REDIRECT },
    refuses: ['auth.cross-origin'],
    access: 'public',
    rate: 'Login',
  },
  async ({ cookies, headers }) => {
    // CSRF: also without the cookie, because the answer clears it.
    if (isCrossOrigin(headers)) throw errors.refuse('auth.cross-origin');
    await operatorSessions.end(sessionIn(cookies) ?? '');
    return redirect(`${basePath()}/login`, { status: 303, cookies: [noSessionCookie()] });
  },
);
