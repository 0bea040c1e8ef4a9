import { html } from 'hono/html';
import * as z from 'zod';
import type { Markup } from '../../../../shared/ui/page.ts';
import { givenText, textField } from '../../../../shared/ui/parts.ts';
import { findLogInLink, takeLogInLink } from '../../domain/members/log-in-links.ts';
import { requestLogInLink } from '../../domain/members/request-log-in-link.ts';
import { emailOf } from '../../domain/members/roster.ts';
import { logIn } from '../../domain/members/sessions.ts';
import { sessionIn } from '../http/session-cookie.ts';
import { againLink, type LoginView, noticePage, stepForm } from './login-page.ts';
import { loginWords } from './login-words.ts';
import { entered, returnPathOf, type ShowStep, type SubmitStep } from './visitor.ts';

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
export const askForLink: SubmitStep = async ({ language, nowMs }, form) => {
  const words = loginWords(language);
  const view = { language, returnPath: returnPathOf(form.text('ReturnUrl')) };
  const value = form.text('email');
  const { data } = Email.safeParse(emailOf(value));
  if (data === undefined)
    return noticePage(view, {
      title: words.title,
      status: 422,
      body: mailForm(view, { value, problem: words.notAnAddress }),
    });
  await requestLogInLink(data, nowMs);
  return noticePage(view, {
    title: words.linkSent,
    body: html`<p role="status">${words.linkSentTo} <strong>${givenText(data)}</strong></p>
<p class="faint">${words.nothingArrived}</p>
${againLink(view)}`,
  });
};

/** Where the link of a mail leads. Programs that look at mail follow links: it takes a button to use it up. */
export const showLink: ShowStep = async ({ language, query, nowMs }) => {
  const view = { language, returnPath: returnPathOf(undefined) };
  const words = loginWords(language);
  const secret = typeof query.key === 'string' ? query.key : '';
  const link = await findLogInLink(secret, nowMs);
  if (!link) return deadLink(view);
  return noticePage(view, {
    title: words.enterTitle,
    body: html`<p>${words.enterAs} <strong>${givenText(link.email)}</strong>.</p>
${stepForm(view, 'enter', html`<input type="hidden" name="key" value="${secret}"><button class="button wide">${words.enter}</button>`)}`,
  });
};

export const enterByLink: SubmitStep = async ({ language, cookies, nowMs }, form) => {
  const view = { language, returnPath: returnPathOf(form.text('ReturnUrl')) };
  const link = await takeLogInLink(form.text('key'), nowMs);
  if (!link) return deadLink(view);
  const identity = { kind: 'email', value: link.email } as const;
  const organizationId = link.organizationId ?? undefined;
  const cookie = await logIn({ identity, organizationId, previous: sessionIn(cookies) }, nowMs);
  return cookie ? entered(cookie, view.returnPath) : noMemberPage(view);
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
    body: html`<p>${words.noMemberWhy}</p>${againLink(view)}`,
  });
};
