import { multipartFields } from '../../../../shared/http/body/multipart.ts';
import { formBody, oneOf } from '../../../../shared/http/body/reader.ts';
import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { accepts } from '../../../../shared/http/request/accepts.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { errors } from '../../errors.ts';
import { LoginForm } from '../contract.ts';
import { logIn } from '../domain/log-in.ts';
import { providerLoginPath } from '../domain/provider-login.ts';
import { safeReturnPath } from '../domain/return-path.ts';
import { loginEndpoint } from '../http/open-page.ts';
import { sessionCookie, sessionIn } from '../http/session-cookie.ts';
import { loginPage } from '../pages/login-page.ts';

// A key and a path.
const MAX_FORM_BYTES = 16_384;

/** A browser whose login is refused gets the form again; a program, which does not name text/html, the problem. */
export const handler = loginEndpoint('../..')(
  {
    route: 'POST /api/auth/login',
    summary: 'Log in with the operator key',
    description:
      'Answers the cookie of a session, and leads to `ReturnUrl`. A refusal is a page for a caller that accepts `text/html`, and a problem for any other. With an identity provider no key opens a session: it leads to `GET /api/auth/idp-login`.',
    tag: 'auth',
    body: oneOf(formBody(LoginForm), multipartFields(LoginForm)),
    maxBodyBytes: () => MAX_FORM_BYTES,
    answers: { 303: REDIRECT, 401: PAGE },
    refuses: ['auth.misconfigured', 'auth.invalid-credentials'],
    undocumented: false,
    rate: 'Login',
  },
  async ({ body, cookies, headers }, { language }) => {
    const returnPath = safeReturnPath(body.ReturnUrl);
    const result = await logIn({ apiKey: body.ApiKey, previous: sessionIn(cookies) }, Date.now());
    if (result.outcome === 'loggedIn')
      return redirect(returnPath, { status: 303, cookies: [sessionCookie(result.cookie)] });
    if (result.outcome === 'byProvider') return redirect(providerLoginPath(returnPath), { status: 303 });
    if (!accepts(headers.accept, 'text/html')) throw errors.refuse(result.code);
    return loginPage({ language, returnPath, root: '../..', refusal: result.code });
  },
);
