import { PAGE } from '../../../../shared/http/declaration.ts';
import { operatorSessions } from '../../config/operator-sessions.ts';
import { hasIdentityProvider } from '../domain/provider-login.ts';
import { safeReturnPath } from '../domain/return-path.ts';
import { loginEndpoint } from '../http/open-page.ts';
import { sessionIn } from '../http/session-cookie.ts';
import { loggedInPage, loginPage, providerPage } from '../pages/login-page.ts';

/** The form of a login, or the way to the identity provider; for an operator who is logged in, the one of a logout. */
export const handler = loginEndpoint('.')(
  {
    route: 'GET /login',
    summary: 'The login page',
    answers: { 200: PAGE },
  },
  async ({ query, cookies }, { language }) => {
    const { ReturnUrl: given } = query;
    const view = {
      language,
      returnPath: safeReturnPath(typeof given === 'string' ? given : undefined),
      root: '.',
      hasEnded: query.problem === 'session-ended',
    };
    const isLoggedIn = await operatorSessions.isAlive(sessionIn(cookies) ?? '', Date.now());
    return isLoggedIn
      ? loggedInPage(view)
      : hasIdentityProvider()
        ? providerPage({ ...view, isUnreachable: query.problem === 'idp' })
        : loginPage(view);
  },
);
