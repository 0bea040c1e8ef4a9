import * as z from 'zod';
import { Problem } from '../../errors/errors.ts';
import { pageForm, readForm } from '../../http/body/page-form.ts';
import { FORM_AGAIN, PAGE, REDIRECT } from '../../http/declaration.ts';
import type { Endpoint, Service } from '../../http/endpoint.ts';
import { pageEndpoint } from '../../http/page-endpoint.ts';
import { pageLanguage, rememberLanguage, sessionIn } from '../http/session-cookie.ts';
import { type Login, returnPathOf } from './login.ts';
import { loggedInPage, loginPage, refusedLoginPage } from './login-page.ts';
import { FORMS, PAGES, waysOf } from './steps.ts';

// An address, or a certificate and a signature.
const MAX_FORM_BYTES = 16_384;

/** A step of a log-in. Where it cannot be judged, while the store is away or after too many tries, a browser is shown that. */
const loginEndpoint = <Code extends string, Policy extends string>(
  service: Service<Code, Policy>,
  login: Login,
) =>
  pageEndpoint(service, {
    language: pageLanguage,
    visitors: 'anybody',
    refusalPage: (refusal, { language, call }) =>
      refusedLoginPage({ login, language, returnPath: returnPathOf(login, call.query.ReturnUrl) }, refusal),
    finish: rememberLanguage(service.name),
  });

/** The ways to log in; for a member who is logged in, the way out. */
export const showLoginEndpoint = <Code extends string, Policy extends string>(
  service: Service<Code, Policy | 'login'>,
  login: Login,
): Endpoint =>
  loginEndpoint(service, login)(
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
        return show(login, { language, cookies, query, nowMs });
      }
      const view = { login, language, returnPath: returnPathOf(login, query.ReturnUrl) };
      const signedIn = await login.sessions.signedInBy(sessionIn(cookies) ?? '', nowMs);
      return signedIn
        ? loggedInPage(view)
        : loginPage({ ...view, hasEnded: query.problem === 'session-ended', ways: waysOf(view) });
    },
  );

/** Every form of the log-in, and the log-out. */
export const submitLoginEndpoint = <Code extends string, Policy extends string>(
  service: Service<Code, Policy | 'login'>,
  login: Login,
): Endpoint =>
  loginEndpoint(service, login)(
    {
      route: 'POST /login/{step}',
      summary: 'A step of the log-in of members',
      params: z.object({ step: z.string() }),
      body: pageForm,
      maxBodyBytes: () => MAX_FORM_BYTES,
      answers: { 200: PAGE, 303: REDIRECT, ...FORM_AGAIN },
      rate: 'login',
    },
    async ({ params: { step }, cookies, query, path, body }, { language }) => {
      const submit = Object.hasOwn(FORMS, step) ? FORMS[step] : undefined;
      if (!submit) throw new Problem('noRoute', { method: 'POST', path });
      return submit(login, { language, cookies, query, nowMs: Date.now() }, await readForm(body));
    },
  );
