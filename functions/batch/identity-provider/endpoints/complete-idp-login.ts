import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { approverCookie } from '../../approvals/portal.ts';
import { loginEndpoint } from '../../auth/http/open-page.ts';
import { sessionCookie, sessionIn } from '../../auth/http/session-cookie.ts';
import { settings } from '../../settings.ts';
import { completeSignIn } from '../domain/complete-sign-in.ts';
import { pendingCookie, pendingIn } from '../http/pending-cookie.ts';
import { failedPage, noRolePage } from '../pages/sign-in-pages.ts';

/** Where the provider sends browsers back to. Open redirect: nothing in the address says where to go on. */
export const handler = loginEndpoint('../..')(
  {
    route: 'GET /api/auth/idp-callback',
    summary: 'Where the identity provider sends browsers back',
    answers: { 302: REDIRECT, 400: PAGE, 403: PAGE },
    rate: 'Login',
  },
  async ({ query, cookies }, { language }) => {
    const previous = {
      operator: sessionIn(cookies),
      approver: cookies[settings['ApproverPortal:CookieName']],
    };
    const result = await completeSignIn({ query, cookie: pendingIn(cookies), previous }, Date.now());
    // Kept where another site made up the answer: the sign-in that this browser began may still come back.
    const ended = result.outcome === 'failed' && !result.wasBegun ? [] : [pendingCookie('')];
    if (result.outcome === 'signedIn') {
      const { operatorCookie: operator, approverCookie: approver } = result;
      return redirect(result.location, {
        headers: { 'referrer-policy': 'no-referrer' },
        cookies: [
          ...ended,
          ...(operator === undefined ? [] : [sessionCookie(operator)]),
          ...(approver === undefined ? [] : [approverCookie(approver)]),
        ],
      });
    }
    const answer = await (result.outcome === 'noRole'
      ? noRolePage(language, result.address)
      : failedPage(language));
    return { ...answer, cookies: ended };
  },
);
