import { html } from 'hono/html';
import * as z from 'zod';
import { emailOf } from '../../members/member.ts';
import { requestLogInLink } from '../../members/request-log-in-link.ts';
import type { Markup } from '../../ui/page.ts';
import { givenText, textField } from '../../ui/parts.ts';
import { sessionIn } from '../http/session-cookie.ts';
import { entered, returnPathOf, type ShowStep, type SubmitStep } from './login.ts';
import { againLink, type LoginView, noticePage, stepForm } from './login-page.ts';
import { loginWords } from './login-words.ts';

const Email = z.email().max(254);

/** The form that asks for a link. */
export function mailForm(
  view: LoginView,
  given: { readonly value?: string; readonly problem?: string } = {},
): Markup {
  const words = loginWords(view.language);
  return stepForm(
    view,
    'link',
    html`<h2>${words.byMail}</h2>
${textField({ id: 'email', label: words.email, ...given, attributes: html` type="email" autocomplete="email" required maxlength="254"` })}
<button class="button wide">${words.sendLink}</button>`,
  );
}

/** Answers the same for every address. */
export const askForLink: SubmitStep = async (login, { language, nowMs }, form) => {
  const words = loginWords(language);
  const view = { login, language, returnPath: returnPathOf(login, form.text('ReturnUrl')) };
  const value = form.text('email');
  const { data } = Email.safeParse(emailOf(value));
  if (data === undefined)
    return noticePage(view, {
      title: words.title,
      status: 422,
      body: mailForm(view, { value, problem: words.notAnAddress }),
    });
  await requestLogInLink(login.service, data, nowMs);
  return noticePage(view, {
    title: words.linkSent,
    body: html`<p role="status">${words.linkSentTo} <strong>${givenText(data)}</strong></p>
<p class="faint">${login.words(language).nothingArrived}</p>
${againLink(view)}`,
  });
};

/** Where the link of a mail leads. Programs that look at mail follow links: it takes a button to use it up. */
export const showLink: ShowStep = async (login, { language, query, nowMs }) => {
  const view = { login, language, returnPath: returnPathOf(login, undefined) };
  const words = loginWords(language);
  const secret = typeof query.key === 'string' ? query.key : '';
  const link = await login.links.findLogInLink(secret, nowMs);
  if (!link) return deadLink(view);
  return noticePage(view, {
    title: words.enterTitle,
    body: html`<p>${words.enterAs} <strong>${givenText(link.email)}</strong>.</p>
${stepForm(view, 'enter', html`<input type="hidden" name="key" value="${secret}"><button class="button wide">${words.enter}</button>`)}`,
  });
};

export const enterByLink: SubmitStep = async (login, { language, cookies, nowMs }, form) => {
  const view = { login, language, returnPath: returnPathOf(login, form.text('ReturnUrl')) };
  const link = await login.links.takeLogInLink(form.text('key'), nowMs);
  if (!link) return deadLink(view);
  const identity = { kind: 'email', value: link.email } as const;
  const organizationId = link.organizationId ?? undefined;
  const cookie = await login.sessions.logIn(
    { identity, organizationId, previous: sessionIn(cookies) },
    nowMs,
  );
  return cookie ? entered(login, cookie, view.returnPath) : noMemberPage(view);
};

const deadLink = (view: LoginView) => {
  const words = loginWords(view.language);
  return noticePage(view, {
    title: words.deadLink,
    status: 410,
    body: html`<p>${words.deadLinkWhy}</p>${againLink(view)}`,
  });
};

/** For somebody who proved who they are, and whom no organization knows. */
export const noMemberPage = (view: LoginView) => {
  const words = loginWords(view.language);
  return noticePage(view, {
    title: words.noMember,
    status: 403,
    body: html`<p>${view.login.words(view.language).noMemberWhy}</p>${againLink(view)}`,
  });
};
