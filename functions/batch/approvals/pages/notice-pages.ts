import { html } from 'hono/html';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { hasIdentityProvider, providerLoginPath } from '../../auth/domain/provider-login.ts';
import { settings } from '../../settings.ts';
import { portalPage, portalPath } from './portal-frame.ts';
import { refusalText } from './refusals.ts';

const noticeWords = translations({
  signIn: { en: 'Sign in to see your approvals', 'pt-BR': 'Entre para ver suas aprovações' },
  byLink: {
    en: 'Open the link that you were sent by mail. It is yours alone: do not pass it on.',
    'pt-BR': 'Abra o link que você recebeu por e-mail. Ele é só seu: não o passe adiante.',
  },
  nobodyYet: {
    en: 'Nobody can sign in here yet. Ask whoever runs this service to set up personal links or the sign-in of your organization.',
    'pt-BR':
      'Ninguém pode entrar aqui ainda. Peça a quem administra este serviço que configure links pessoais ou a entrada pela sua organização.',
  },
  byProvider: { en: 'Sign in with your organization', 'pt-BR': 'Entrar com a conta da organização' },
  deadLink: { en: 'This link does not work', 'pt-BR': 'Este link não funciona' },
  askAgain: {
    en: 'It is not complete, or it was replaced. Open the newest message that you have, or ask whoever sent it for another link.',
    'pt-BR':
      'Ele está incompleto ou foi substituído. Abra a mensagem mais recente ou peça outro link a quem enviou.',
  },
  refused: { en: 'That did not work', 'pt-BR': 'Não foi possível' },
  back: { en: 'Back to your approvals', 'pt-BR': 'Voltar às suas aprovações' },
  code: { en: 'Code', 'pt-BR': 'Código' },
});

/** For a visitor without a session: how to get one. */
export function signInPage(language: Language, status = 401) {
  const words = noticeWords(language);
  const hasLinks = settings['ApproverPortal:LinkSecret'] !== '';
  const hasProvider = hasIdentityProvider();
  return portalPage({
    title: words.signIn,
    language,
    status,
    body: html`<div class="card notice">
<h1>${words.signIn}</h1>
${hasLinks ? html`<p>${words.byLink}</p>` : ''}
${hasLinks || hasProvider ? '' : html`<p>${words.nobodyYet}</p>`}
${hasProvider ? html`<a class="button wide" href="${providerLoginPath(portalPath())}">${words.byProvider}</a>` : ''}
</div>`,
  });
}

/** For a link that stands for nobody. It does not say why. */
export function deadLinkPage(language: Language) {
  const words = noticeWords(language);
  return portalPage({
    title: words.deadLink,
    language,
    status: 404,
    body: html`<div class="card notice"><h1>${words.deadLink}</h1><p>${words.askAgain}</p></div>`,
  });
}

/** A refusal as a page: what happened, and the way back. */
export function refusalPage(language: Language, { code, status, message }: Refusal) {
  const words = noticeWords(language);
  return portalPage({
    title: words.refused,
    language,
    status,
    body: html`<div class="card notice">
<h1>${words.refused}</h1>
<p>${refusalText(language, code) ?? message}</p>
<p class="faint">${words.code}: <code>${code}</code></p>
<a class="button quiet" href="${portalPath()}">${words.back}</a>
</div>`,
  });
}
