import { html } from 'hono/html';
import { basePathOf } from '../../../../shared/access/return-path.ts';
import { Problem } from '../../../../shared/errors/errors.ts';
import { type Answer, redirect } from '../../../../shared/http/response/answer.ts';
import { sandboxAccess } from '../../../../shared/settings/sandbox.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { asksForCertificates } from '../../domain/members/certificate-log-in.ts';
import { sendsLogInLinks } from '../../domain/members/member-mail.ts';
import { readMembers } from '../../domain/members/roster.ts';
import { logIn, memberSessions } from '../../domain/members/sessions.ts';
import { settings } from '../../settings.ts';
import { noSessionCookie, sessionIn } from '../http/session-cookie.ts';
import { askForLink, enterByLink, mailForm, showLink } from './by-mail.ts';
import { type LoginView, stepForm, stepPath } from './login-page.ts';
import { loginWords } from './login-words.ts';
import { entered, returnPathOf, type ShowStep, type SubmitStep, type Visitor } from './visitor.ts';

const logOut: SubmitStep = async ({ cookies }) => {
  await memberSessions.end(sessionIn(cookies) ?? '');
  return redirect(`${basePathOf('documents')}/login`, { status: 303, cookies: [noSessionCookie()] });
};

/** On the local stage anybody is the sandbox's owner. A deployment has no sandbox, whatever its environment. */
const logInToSandbox: SubmitStep = async ({ cookies, nowMs }, form) => {
  const { organizationId } = sandboxAccess();
  const owner = organizationId
    ? (await readMembers(organizationId)).find(({ role }) => role === 'Owner')
    : undefined;
  const identity = owner && ({ kind: 'email', value: owner.email } as const);
  const cookie = identity && (await logIn({ identity, organizationId, previous: sessionIn(cookies) }, nowMs));
  if (!cookie) throw new Problem('noRoute', { method: 'POST', path: '/login/sandbox' });
  return entered(cookie, returnPathOf(form.text('ReturnUrl')));
};

/** A step that this deployment has only where it may ask a PKI core. */
function offered<Rest extends readonly unknown[]>(
  step: (visitor: Visitor, ...rest: Rest) => Promise<Answer>,
): typeof step {
  return async (visitor, ...rest) => {
    if (!asksForCertificates()) throw new Problem('noRoute', { method: 'GET', path: '/login/certificate' });
    return step(visitor, ...rest);
  };
}

/** The forms of the log-in, and the pages that are not the first, by the last part of their paths. */
export const FORMS: Readonly<Record<string, SubmitStep>> = {
  out: logOut,
  sandbox: logInToSandbox,
  link: askForLink,
  enter: enterByLink,
  certificate: offered(async (visitor, form) =>
    (await import('./by-certificate.ts')).enterByCertificate(visitor, form),
  ),
};
export const PAGES: Readonly<Record<string, ShowStep>> = {
  link: showLink,
  certificate: offered(async (visitor) => (await import('./by-certificate.ts')).showCertificateForm(visitor)),
  // Loaded when it is visited: the library of the protocol is larger than all the rest.
  provider: async (visitor) => (await import('./by-provider.ts')).beginAtProvider(visitor),
  callback: async (visitor) => (await import('./by-provider.ts')).returnFromProvider(visitor),
};

/** The ways to log in of this deployment, as the first page shows them. */
export function waysOf(view: LoginView): readonly Markup[] {
  const words = loginWords(view.language);
  return [
    ...(sandboxAccess().organizationId
      ? [stepForm(view, 'sandbox', html`<button class="button wide">${words.sandbox}</button>`)]
      : []),
    ...(settings['Idp:Authority'] === undefined
      ? []
      : [
          html`<a class="button wide" href="${stepPath('provider')}?${new URLSearchParams({ ReturnUrl: view.returnPath })}">${words.byProvider}</a>`,
        ]),
    ...(asksForCertificates()
      ? [
          html`<a class="button wide" href="${stepPath('certificate')}?${new URLSearchParams({ ReturnUrl: view.returnPath })}">${words.byCertificate}</a>`,
        ]
      : []),
    ...(sendsLogInLinks() ? [mailForm(view)] : []),
  ];
}
