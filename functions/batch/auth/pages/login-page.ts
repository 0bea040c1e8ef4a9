import { html } from 'hono/html';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { errors } from '../../errors.ts';
import type { LoginRefusal } from '../domain/log-in.ts';
import { providerLoginPath } from '../domain/provider-login.ts';
import { logoPath } from './logo-path.ts';

const loginWords = translations({
  ended: {
    en: 'Your session has ended. Nothing was changed; log in to go on.',
    'pt-BR': 'Sua sessão terminou. Nada foi alterado; entre para continuar.',
  },
  title: { en: 'Log in', 'pt-BR': 'Entrar' },
  service: { en: 'Batch signing', 'pt-BR': 'Assinatura em lote' },
  key: { en: 'Operator key', 'pt-BR': 'Chave do operador' },
  logIn: { en: 'Log in', 'pt-BR': 'Entrar' },
  wrongKey: {
    en: 'The key is wrong. Check it and try again.',
    'pt-BR': 'A chave está errada. Confira e tente de novo.',
  },
  byProvider: { en: 'Sign in with your organization', 'pt-BR': 'Entrar com a conta da organização' },
  providerDecides: {
    en: 'Your organization decides who may operate this service.',
    'pt-BR': 'Sua organização decide quem pode operar este serviço.',
  },
  unreachable: {
    en: 'The sign-in of your organization does not answer. Wait a minute and try again.',
    'pt-BR': 'O acesso da sua organização não responde. Espere um minuto e tente de novo.',
  },
  refused: { en: 'You cannot log in right now', 'pt-BR': 'Não é possível entrar agora' },
  code: { en: 'Code', 'pt-BR': 'Código' },
  again: { en: 'Try again', 'pt-BR': 'Tentar de novo' },
  loggedIn: { en: 'You are logged in', 'pt-BR': 'Você já entrou' },
  goOn: { en: 'Continue', 'pt-BR': 'Continuar' },
  logOut: { en: 'Log out', 'pt-BR': 'Sair' },
});

type LoginView = {
  readonly language: Language;
  /** Where the operator goes after the login; a path that was checked. */
  readonly returnPath: string;
  /** The relative path from the page to the service's base path: works under any stage prefix. */
  readonly root: string;
  /** Whether the operator comes from a page whose session has ended. */
  readonly hasEnded?: boolean;
};

/** A plain form, which needs no script. With a refusal it is the answer to the form that was sent. */
export function loginPage({ refusal, ...view }: LoginView & { readonly refusal?: LoginRefusal }) {
  const words = loginWords(view.language);
  const invalid = refusal ? html` aria-invalid="true" aria-describedby="refusal"` : html``;
  const body = html`<main><div class="card notice">
<p class="faint">${words.service}</p>
<h1>${words.title}</h1>
${view.hasEnded ? html`<p class="note" role="status">${words.ended}</p>` : ''}
${refusal ? html`<div class="problem" id="refusal" role="alert"><p>${refusal === 'auth.invalid-credentials' ? words.wrongKey : errors.text(refusal, view.language)}</p></div>` : ''}
<form class="login" method="post" action="${view.root}/api/auth/login">
<input type="hidden" name="ReturnUrl" value="${view.returnPath}">
<div class="field">
<label for="key">${words.key}</label>
<input id="key" name="ApiKey" type="password" autocomplete="current-password" required autofocus${invalid}>
</div>
<button class="button wide">${words.logIn}</button>
</form>
</div></main>`;
  return render(view, words.title, body, refusal ? 401 : 200);
}

/** For operators of an identity provider: a link in place of the form. */
export function providerPage({ isUnreachable, ...view }: LoginView & { readonly isUnreachable: boolean }) {
  const words = loginWords(view.language);
  const described = isUnreachable ? html` aria-describedby="problem"` : html``;
  const body = html`<main><div class="card notice">
<p class="faint">${words.service}</p>
<h1>${words.title}</h1>
${view.hasEnded ? html`<p class="note" role="status">${words.ended}</p>` : ''}
${isUnreachable ? html`<div class="problem" id="problem" role="alert"><p>${words.unreachable}</p></div>` : ''}
<p>${words.providerDecides}</p>
<a class="button wide" href="${providerLoginPath(view.returnPath)}"${described}>${words.byProvider}</a>
</div></main>`;
  return render(view, words.title, body, 200);
}

/** For an operator who has a session already. */
export function loggedInPage(view: LoginView) {
  const words = loginWords(view.language);
  const body = html`<main><div class="card notice">
<p class="faint">${words.service}</p>
<h1>${words.loggedIn}</h1>
<a class="button wide" href="${view.returnPath}">${words.goOn}</a>
<form method="post" action="${view.root}/api/auth/logout">
<button class="button quiet wide">${words.logOut}</button>
</form>
</div></main>`;
  return render(view, words.loggedIn, body, 200);
}

/** In place of the form: the login could not be judged. */
export function refusedLoginPage(view: LoginView, { code, status, message }: Refusal) {
  const words = loginWords(view.language);
  const body = html`<main><div class="card notice">
<p class="faint">${words.service}</p>
<h1>${words.refused}</h1>
<p role="alert">${errors.text(code, view.language) ?? message}</p>
<p class="faint">${words.code}: <code>${code}</code></p>
<a class="button wide" href="${view.root}/login?${new URLSearchParams({ ReturnUrl: view.returnPath })}">${words.again}</a>
</div></main>`;
  return render(view, words.refused, body, status);
}

const render = (
  { language, returnPath, root }: LoginView,
  title: string,
  body: Markup,
  status: number,
): Promise<Answer> =>
  page({
    title,
    language,
    status,
    styles: [assetUrl(root, 'common.css'), assetUrl(root, 'batch-login.css')],
    formAction: "'self'",
    showsImages: true,
    body: renderFrame({
      language,
      logo: logoPath(),
      body,
      inLanguage: (other) => `${root}/login?${new URLSearchParams({ ReturnUrl: returnPath, lang: other })}`,
    }),
  });
