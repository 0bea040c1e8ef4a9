import { html } from 'hono/html';
import { certificateFields } from '../certificate-fields.ts';
import type { Language } from '../languages.ts';
import type { Markup } from '../page.ts';
import { translations } from '../translations.ts';

const wayWords = translations({
  where: { en: 'Where is your certificate?', 'pt-BR': 'Onde está o seu certificado?' },
  file: { en: 'In a file (A1)', 'pt-BR': 'Em um arquivo (A1)' },
  fileHint: { en: 'A .p12 or .pfx file on this device', 'pt-BR': 'Um arquivo .p12 ou .pfx neste aparelho' },
  cloud: { en: 'In the cloud', 'pt-BR': 'Na nuvem' },
  cloudHint: {
    en: 'Kept by a provider; you allow it on your telephone',
    'pt-BR': 'Guardado por um provedor; você autoriza pelo celular',
  },
  token: { en: 'In a token or smart card (A3)', 'pt-BR': 'Em um token ou cartão (A3)' },
  tokenHint: {
    en: 'In a computer on which the Sinete agent runs',
    'pt-BR': 'Em um computador com o agente Sinete',
  },
  cloudExplain: {
    en: 'You allow the signature at the provider that keeps your certificate, and come back here.',
    'pt-BR': 'Você autoriza a assinatura no provedor que guarda o seu certificado e volta para cá.',
  },
  cloudNewWindow: {
    en: 'A provider cannot be shown inside of this page. Sign in a window of its own, and come back here.',
    'pt-BR': 'O provedor não pode ser mostrado dentro desta página. Assine em outra janela e volte para cá.',
  },
  openWindow: { en: 'Sign in a new window', 'pt-BR': 'Assinar em outra janela' },
  tokenExplain: {
    en: 'You type the PIN at the computer with the token, in the window of the agent, and never here.',
    'pt-BR': 'Você digita o PIN no computador em que está o token, na janela do agente, e nunca aqui.',
  },
  getAgent: { en: 'Get the agent', 'pt-BR': 'Baixar o agente' },
});

export type WayOptions = {
  readonly language: Language;
  readonly offersCloud: boolean;
  readonly offersToken: boolean;
  /** Where the agent is to be had. */
  readonly agentUrl: string | undefined;
  /** For a page in a frame: where the same page is alone. */
  readonly ownWindow?: string | undefined;
};

/** The fields by which a person says where their certificate is. With a file as the only way there is no question. */
export function wayFields(options: WayOptions): Markup {
  const { language, offersCloud, offersToken } = options;
  const words = wayWords(language);
  if (!offersCloud && !offersToken) return certificateFields(language);
  return html`<fieldset class="ways">
<legend>${words.where}</legend>
${choice('file', words.file, words.fileHint, true)}
${offersCloud ? choice('cloud', words.cloud, words.cloudHint) : ''}
${offersToken ? choice('token', words.token, words.tokenHint) : ''}
</fieldset>
<div class="way-part" data-way="file">
${certificateFields(language)}
</div>
${offersCloud ? cloudPart(options) : ''}
${offersToken ? tokenPart(options) : ''}`;
}

const choice = (way: string, title: string, hint: string, isChosen = false): Markup =>
  html`<label class="way"><input type="radio" name="way" id="way-${way}" value="${way}"${isChosen ? ' checked' : ''}>
<span><strong>${title}</strong><span class="faint">${hint}</span></span></label>`;

function cloudPart({ language, ownWindow }: WayOptions): Markup {
  const words = wayWords(language);
  return html`<div class="way-part" data-way="cloud" hidden>
<p class="faint">${ownWindow ? words.cloudNewWindow : words.cloudExplain}</p>
${ownWindow ? html`<a class="button wide" href="${ownWindow}" target="_blank" rel="noopener">${words.openWindow}</a>` : ''}
<div class="way-state" aria-live="polite"></div>
</div>`;
}

function tokenPart({ language, agentUrl }: WayOptions): Markup {
  const words = wayWords(language);
  return html`<div class="way-part" data-way="token" hidden>
<p class="faint">${words.tokenExplain}</p>
<div class="way-state" aria-live="polite"></div>
${agentUrl ? html`<p class="get-agent" hidden><a href="${agentUrl}" target="_blank" rel="noopener">${words.getAgent}</a></p>` : ''}
</div>`;
}
