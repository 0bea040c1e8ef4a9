import { beginSignIn } from '../../../../shared/access/identity-provider/sign-in.ts';
import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { basePath, safeReturnPath } from '../../auth/domain/return-path.ts';
import { loginEndpoint } from '../../auth/http/open-page.ts';
import { batchClient } from '../domain/client.ts';
import { pendingCookie } from '../http/pending-cookie.ts';

/** Answers only redirects, so its query has no shape that could be refused. */
export const handler = loginEndpoint('../..')(
  {
    route: 'GET /api/auth/idp-login',
    summary: 'Sign in by the identity provider',
    description:
      'Leads to the provider that `Idp:Authority` names, which sends the browser back with a session. `ReturnUrl` in the query is where to go then: a path below the base URL. Without a provider, or while it cannot be reached, it leads to the login page.',
    tag: 'auth',
    answers: { 302: REDIRECT },
    undocumented: false,
    ignoresUnknownOptions: true,
    rate: 'Login',
  },
  async ({ query: { ReturnUrl: given } }) => {
    const returnPath = safeReturnPath(typeof given === 'string' ? given : undefined);
    const result = await beginSignIn(batchClient, { returnPath }, Date.now());
    if (result.outcome === 'begun')
      return redirect(result.location, {
        headers: { 'referrer-policy': 'no-referrer' },
        cookies: [pendingCookie(result.cookie)],
      });
    const login = new URLSearchParams({ ReturnUrl: returnPath });
    if (result.outcome === 'unreachable') login.set('problem', 'idp');
    return redirect(`${basePath()}/login?${login}`);
  },
);
