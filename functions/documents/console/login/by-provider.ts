import { html } from 'hono/html';
import { PENDING_SECONDS } from '../../../../shared/access/identity-provider/pending-sign-in.ts';
import type { IdpClient } from '../../../../shared/access/identity-provider/provider.ts';
import { beginSignIn, endSignIn } from '../../../../shared/access/identity-provider/sign-in.ts';
import { type Cookie, redirect } from '../../../../shared/http/response/answer.ts';
import { logIn } from '../../domain/members/sessions.ts';
import { settings } from '../../settings.ts';
import { sessionIn } from '../http/session-cookie.ts';
import { noMemberPage } from './by-mail.ts';
import { againLink, noticePage, stepPath } from './login-page.ts';
import { loginWords } from './login-words.ts';
import { entered, returnPathOf, type ShowStep } from './visitor.ts';

/** The service as the identity provider knows it. */
const client: IdpClient = {
  service: 'documents',
  settings,
  callbackPath: () => stepPath('callback'),
};

const PENDING = 'sinete-idp';

/** For the callback alone. SameSite=Lax: the provider, another site, sends the browser there by a GET. */
const pendingCookie = (value: string): Cookie => ({
  name: PENDING,
  value,
  path: client.callbackPath(),
  sameSite: 'lax',
  maxAge: value === '' ? 0 : PENDING_SECONDS,
});

/** Leads to the provider. */
export const beginAtProvider: ShowStep = async ({ language, query, nowMs }) => {
  const view = { language, returnPath: returnPathOf(query.ReturnUrl) };
  const begun = await beginSignIn(client, view, nowMs);
  if (begun.outcome === 'begun')
    return redirect(begun.location, {
      headers: { 'referrer-policy': 'no-referrer' },
      cookies: [pendingCookie(begun.cookie)],
    });
  const words = loginWords(language);
  return noticePage(view, {
    title: words.refused,
    status: 503,
    body: html`<p role="alert">${words.unreachable}</p>${againLink(view)}`,
  });
};

/** Where the provider sends browsers back to. Open redirect: nothing in the address says where to go on. */
export const returnFromProvider: ShowStep = async ({ language, query, cookies, nowMs }) => {
  const ended = await endSignIn(client, { query, cookie: cookies[PENDING] }, nowMs);
  const words = loginWords(language);
  if (ended.outcome === 'failed') {
    const view = { language, returnPath: returnPathOf(undefined) };
    const page = await noticePage(view, {
      title: words.failed,
      status: 400,
      body: html`<p role="alert">${words.beginAgain}</p>${againLink(view)}`,
    });
    // Kept where another site made up the answer: the sign-in that this browser began may still come back.
    return ended.wasBegun ? { ...page, cookies: [pendingCookie('')] } : page;
  }
  const view = { language, returnPath: returnPathOf(ended.returnPath) };
  const identity = { kind: 'email', value: ended.address } as const;
  const cookie = await logIn({ identity, previous: sessionIn(cookies) }, nowMs);
  const answer = cookie ? entered(cookie, view.returnPath) : await noMemberPage(view);
  return { ...answer, cookies: [...answer.cookies, pendingCookie('')] };
};
