import { html } from 'hono/html';
import { PENDING_SECONDS } from '../../access/identity-provider/pending-sign-in.ts';
import type { IdpClient } from '../../access/identity-provider/provider.ts';
import { beginSignIn, endSignIn } from '../../access/identity-provider/sign-in.ts';
import { type Cookie, redirect } from '../../http/response/answer.ts';
import { sessionIn } from '../http/session-cookie.ts';
import { noMemberPage } from './by-mail.ts';
import { entered, type Login, returnPathOf, type ShowStep } from './login.ts';
import { againLink, noticePage, stepPath } from './login-page.ts';
import { loginWords } from './login-words.ts';

/** The service as the identity provider knows it. */
const clientOf = (login: Login): IdpClient => ({
  service: login.service,
  settings: login.settings,
  callbackPath: () => stepPath(login, 'callback'),
});

const PENDING = 'sinete-idp';

/** For the callback alone. SameSite=Lax: the provider, another site, sends the browser there by a GET. */
const pendingCookie = (login: Login, value: string): Cookie => ({
  name: PENDING,
  value,
  path: stepPath(login, 'callback'),
  sameSite: 'lax',
  maxAge: value === '' ? 0 : PENDING_SECONDS,
});

/** Leads to the provider. */
export const beginAtProvider: ShowStep = async (login, { language, query, nowMs }) => {
  const view = { login, language, returnPath: returnPathOf(login, query.ReturnUrl) };
  const begun = await beginSignIn(clientOf(login), view, nowMs);
  if (begun.outcome === 'begun')
    return redirect(begun.location, {
      headers: { 'referrer-policy': 'no-referrer' },
      cookies: [pendingCookie(login, begun.cookie)],
    });
  const words = loginWords(language);
  return noticePage(view, {
    title: words.refused,
    status: 503,
    body: html`<p role="alert">${words.unreachable}</p>${againLink(view)}`,
  });
};

/** Where the provider sends browsers back to. Open redirect: nothing in the address says where to go on. */
export const returnFromProvider: ShowStep = async (login, { language, query, cookies, nowMs }) => {
  const ended = await endSignIn(clientOf(login), { query, cookie: cookies[PENDING] }, nowMs);
  const words = loginWords(language);
  if (ended.outcome === 'failed') {
    const view = { login, language, returnPath: returnPathOf(login, undefined) };
    const page = await noticePage(view, {
      title: words.failed,
      status: 400,
      body: html`<p role="alert">${words.beginAgain}</p>${againLink(view)}`,
    });
    // Kept where another site made up the answer: the sign-in that this browser began may still come back.
    return ended.wasBegun ? { ...page, cookies: [pendingCookie(login, '')] } : page;
  }
  const view = { login, language, returnPath: returnPathOf(login, ended.returnPath) };
  const identity = { kind: 'email', value: ended.address } as const;
  const cookie = await login.sessions.logIn({ identity, previous: sessionIn(cookies) }, nowMs);
  const answer = cookie ? entered(login, cookie, view.returnPath) : await noMemberPage(view);
  return { ...answer, cookies: [...answer.cookies, pendingCookie(login, '')] };
};
