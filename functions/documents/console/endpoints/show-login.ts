import { Problem } from '../../../../shared/errors/errors.ts';
import { FORM_AGAIN, PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { signedInBy } from '../../domain/members/sessions.ts';
import { sessionIn } from '../http/session-cookie.ts';
import { loginEndpoint } from '../login/login-endpoint.ts';
import { loggedInPage, loginPage } from '../login/login-page.ts';
import { PAGES, waysOf } from '../login/steps.ts';
import { returnPathOf } from '../login/visitor.ts';

/** The ways to log in; for a member who is logged in, the way out. */
export const handler = loginEndpoint(
  {
    route: 'GET /login',
    aliases: ['GET /login/{step}'],
    summary: 'The log-in of members',
    answers: { 200: PAGE, 302: REDIRECT, 303: REDIRECT, ...FORM_AGAIN },
    rate: 'login',
  },
  async ({ params, query, cookies, path }, { language }) => {
    const nowMs = Date.now();
    if (params.step !== undefined) {
      const show = Object.hasOwn(PAGES, params.step) ? PAGES[params.step] : undefined;
      if (!show) throw new Problem('noRoute', { method: 'GET', path });
      return show({ language, cookies, query, nowMs });
    }
    const view = { language, returnPath: returnPathOf(query.ReturnUrl) };
    const signedIn = await signedInBy(sessionIn(cookies) ?? '', nowMs);
    return signedIn
      ? loggedInPage(view)
      : loginPage({ ...view, hasEnded: query.problem === 'session-ended', ways: waysOf(view) });
  },
);
