import { html } from 'hono/html';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { renderFrame } from '../../../../shared/ui/frame.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { type Markup, page } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { basePath } from '../../auth/domain/return-path.ts';

const signInWords = translations({
  service: { en: 'Batch signing', 'pt-BR': 'Assinatura em lote' },
  failed: { en: 'The sign-in did not work', 'pt-BR': 'Não foi possível entrar' },
  beginAgain: {
    en: 'It took too long, was canceled, or its page was opened twice. Begin again. If that does not help, tell whoever runs this service.',
    'pt-BR':
      'A entrada demorou demais, foi cancelada ou a página foi aberta duas vezes. Comece de novo. Se não adiantar, avise quem administra este serviço.',
  },
  again: { en: 'Sign in again', 'pt-BR': 'Entrar de novo' },
  noRole: { en: 'You have no access', 'pt-BR': 'Você não tem acesso' },
  signedInAs: { en: 'Your organization knows you as', 'pt-BR': 'Sua organização conhece você como' },
  askForRole: {
    en: 'This account has neither the role Administrator nor the role Approver. Ask whoever manages the accounts of your organization for one, then sign in again.',
    'pt-BR':
      'Esta conta não tem a função Administrator nem a função Approver. Peça uma a quem gerencia as contas da sua organização e entre de novo.',
  },
});

/** For an answer of the provider that is not right. It does not say why: it may be somebody else's. */
export function failedPage(language: Language): Promise<Answer> {
  const words = signInWords(language);
  return noticePage(language, 400, words.failed, html`<p>${words.beginAgain}</p>`);
}

/** For somebody whom the provider knows and who has no role here. */
export function noRolePage(language: Language, address: string): Promise<Answer> {
  const words = signInWords(language);
  const body = html`<p>${words.signedInAs} <strong>${address}</strong>.</p>
<p>${words.askForRole}</p>`;
  return noticePage(language, 403, words.noRole, body);
}

function noticePage(language: Language, status: number, title: string, text: Markup): Promise<Answer> {
  const words = signInWords(language);
  const root = basePath();
  return page({
    title,
    language,
    status,
    styles: [assetUrl(root, 'common.css'), assetUrl(root, 'batch-login.css')],
    body: renderFrame({
      language,
      // The answer of the provider is good for one page. Another language begins at the login.
      inLanguage: (other) => `${root}/login?lang=${other}`,
      body: html`<main><div class="card notice">
<p class="faint">${words.service}</p>
<h1>${title}</h1>
${text}
<a class="button wide" href="${root}/api/auth/idp-login">${words.again}</a>
</div></main>`,
    }),
  });
}
