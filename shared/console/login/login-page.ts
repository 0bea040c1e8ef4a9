import { html } from 'hono/html';
import { basePathOf } from '../../access/return-path.ts';
import type { Refusal } from '../../errors/errors.ts';
import type { Answer } from '../../http/response/answer.ts';
import { assetUrl } from '../../ui/assets.ts';
import { renderFrame } from '../../ui/frame.ts';
import type { Language } from '../../ui/languages.ts';
import { type Markup, page } from '../../ui/page.ts';
import type { Login } from './login.ts';
import { loginWords } from './login-words.ts';

export type LoginView = {
  readonly login: Login;
  readonly language: Language;
  /** Where the member goes after the log-in; a path that was checked. */
  readonly returnPath: string;
};

/** The address of a step of the log-in. @example stepPath(login, 'out') // '/documents/login/out' */
export const stepPath = ({ service }: Pick<Login, 'service'>, step: string): string =>
  `${basePathOf(service)}/login/${step}`;

/** A form of a step, with where it leads. */
export const stepForm = ({ login, returnPath }: LoginView, step: string, fields: Markup): Markup =>
  html`<form class="stack" method="post" action="${stepPath(login, step)}">
<input type="hidden" name="ReturnUrl" value="${returnPath}">
${fields}
</form>`;

type LoginPage = LoginView & {
  /** Whether the member comes from a page whose session has ended. */
  readonly hasEnded: boolean;
  /** The ways to log in that this deployment has. */
  readonly ways: readonly Markup[];
};

/** The ways to log in, each a form of its own. */
export function loginPage({ hasEnded, ways, ...view }: LoginPage): Promise<Answer> {
  const words = loginWords(view.language);
  return noticePage(view, {
    title: words.title,
    body: html`${hasEnded ? html`<p class="note" role="status">${words.ended}</p>` : ''}
${ways.length > 0 ? ways : html`<p>${view.login.words(view.language).noWay}</p>`}`,
  });
}

/** For a member who has a session already. */
export function loggedInPage(view: LoginView): Promise<Answer> {
  const words = loginWords(view.language);
  return noticePage(view, {
    title: words.loggedIn,
    body: html`<a class="button wide" href="${view.returnPath}">${words.goOn}</a>
${stepForm(view, 'out', html`<button class="button quiet wide">${words.logOut}</button>`)}`,
  });
}

/** In place of the form: the log-in could not be judged, or not be done. */
export function refusedLoginPage(view: LoginView, refusal: Refusal): Promise<Answer> {
  const words = loginWords(view.language);
  return noticePage(view, {
    title: words.refused,
    status: refusal.status,
    body: html`<p role="alert">${view.login.refusalText(refusal, view.language)}</p>
<p class="faint">${words.code}: <code>${refusal.code}</code></p>
${againLink(view)}`,
  });
}

export const againLink = (view: LoginView): Markup =>
  html`<a class="button wide" href="${loginPath(view)}">${loginWords(view.language).again}</a>`;

const loginPath = ({ login, returnPath }: LoginView): string =>
  `${basePathOf(login.service)}/login?${new URLSearchParams({ ReturnUrl: returnPath })}`;

type Notice = {
  readonly title: string;
  readonly body: Markup;
  readonly status?: number;
  readonly scripts?: readonly string[];
};

/** A page of the log-in: one card. */
export function noticePage(
  view: LoginView,
  { title, body, status = 200, scripts = [] }: Notice,
): Promise<Answer> {
  const { service, words } = view.login;
  const root = basePathOf(service);
  return page({
    title,
    language: view.language,
    status,
    styles: ['common.css', `${service}-console.css`].map((name) => assetUrl(root, name)),
    scripts: scripts.map((name) => assetUrl(root, name)),
    formAction: "'self'",
    body: renderFrame({
      language: view.language,
      body: html`<main class="console"><div class="card notice stack">
<div><p class="faint">${words(view.language).service}</p>
<h1>${title}</h1></div>
${body}
</div></main>`,
      inLanguage: (other) => `${loginPath(view)}&lang=${other}`,
    }),
  });
}
