import { html } from 'hono/html';
import { basePathOf } from '../../access/return-path.ts';
import { Problem } from '../../errors/errors.ts';
import { type Answer, redirect } from '../../http/response/answer.ts';
import { hasMailServer } from '../../mail/queue.ts';
import type { Markup } from '../../ui/page.ts';
import { noSessionCookie, sessionIn } from '../http/session-cookie.ts';
import { askForLink, enterByLink, mailForm, showLink } from './by-mail.ts';
import { entered, type Login, returnPathOf, type ShowStep, type SubmitStep, type Visitor } from './login.ts';
import { type LoginView, stepForm, stepPath } from './login-page.ts';
import { loginWords } from './login-words.ts';

const logOut: SubmitStep = async ({ service, sessions }, { cookies }) => {
  await sessions.memberSessions.end(sessionIn(cookies) ?? '');
  return redirect(`${basePathOf(service)}/login`, { status: 303, cookies: [noSessionCookie(service)] });
};

/** On the local stage anybody is the sandbox's owner. A deployment has no sandbox, whatever its environment. */
const logInToSandbox: SubmitStep = async (login, { cookies, nowMs }, form) => {
  const organizationId = login.sandbox.organizationId();
  const owner = organizationId ? await login.sandbox.findOwner(organizationId) : undefined;
  const identity = owner && ({ kind: 'email', value: owner.email } as const);
  const cookie =
    identity &&
    (await login.sessions.logIn({ identity, organizationId, previous: sessionIn(cookies) }, nowMs));
  if (!cookie) throw new Problem('noRoute', { method: 'POST', path: '/login/sandbox' });
  return entered(login, cookie, returnPathOf(login, form.text('ReturnUrl')));
};

/** A step that this deployment has only where it may ask a PKI core. */
function offered<Rest extends readonly unknown[]>(
  step: (login: Login, visitor: Visitor, ...rest: Rest) => Promise<Answer>,
): typeof step {
  return async (login, visitor, ...rest) => {
    if (!login.certificates.asksForCertificates())
      throw new Problem('noRoute', { method: 'GET', path: '/login/certificate' });
    return step(login, visitor, ...rest);
  };
}

/** The forms of the log-in, and the pages that are not the first, by the last part of their paths. */
export const FORMS: Readonly<Record<string, SubmitStep>> = {
  out: logOut,
  sandbox: logInToSandbox,
  link: askForLink,
  enter: enterByLink,
  certificate: offered(async (login, visitor, form) =>
    (await import('./by-certificate.ts')).enterByCertificate(login, visitor, form),
  ),
};
export const PAGES: Readonly<Record<string, ShowStep>> = {
  link: showLink,
  certificate: offered(async (login, visitor) =>
    (await import('./by-certificate.ts')).showCertificateForm(login, visitor),
  ),
  // Loaded when it is visited: the library of the protocol is larger than all the rest.
  provider: async (login, visitor) => (await import('./by-provider.ts')).beginAtProvider(login, visitor),
  callback: async (login, visitor) => (await import('./by-provider.ts')).returnFromProvider(login, visitor),
};

/** The ways to log in of this deployment, as the first page shows them. */
export function waysOf(view: LoginView): readonly Markup[] {
  const { login, language, returnPath } = view;
  const words = loginWords(language);
  const linkTo = (step: string, text: string) =>
    html`<a class="button wide" href="${stepPath(login, step)}?${new URLSearchParams({ ReturnUrl: returnPath })}">${text}</a>`;
  return [
    ...(login.sandbox.organizationId()
      ? [
          stepForm(
            view,
            'sandbox',
            html`<button class="button wide">${login.words(language).sandbox}</button>`,
          ),
        ]
      : []),
    ...(login.settings['Idp:Authority'] === undefined ? [] : [linkTo('provider', words.byProvider)]),
    ...(login.certificates.asksForCertificates() ? [linkTo('certificate', words.byCertificate)] : []),
    ...(hasMailServer(login.settings) ? [mailForm(view)] : []),
  ];
}
