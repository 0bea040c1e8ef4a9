import { html } from 'hono/html';
import { lock } from './icons.ts';
import type { Language } from './languages.ts';
import type { Markup } from './page.ts';
import { translations } from './translations.ts';

const fieldWords = translations({
  file: { en: 'Certificate file', 'pt-BR': 'Arquivo do certificado' },
  chooseFile: { en: 'Choose a file', 'pt-BR': 'Escolher arquivo' },
  noFile: { en: 'no file chosen', 'pt-BR': 'nenhum arquivo' },
  fileHint: { en: 'Your A1 certificate, .p12 or .pfx', 'pt-BR': 'Seu certificado A1, .p12 ou .pfx' },
  password: { en: 'Certificate password', 'pt-BR': 'Senha do certificado' },
  staysHere: {
    en: 'The file and its password stay in this browser. Only the certificate and the signature are sent.',
    'pt-BR': 'O arquivo e a senha ficam neste navegador. Só o certificado e a assinatura são enviados.',
  },
});

/**
 * The fields for a certificate file and its password. They have no `name`, so that a form without its script does not
 * send them.
 * @example html`<form>${certificateFields(language)}</form>`
 */
export function certificateFields(language: Language): Markup {
  const words = fieldWords(language);
  return html`<div class="field">
<label for="certificate">${words.file}</label>
<div class="chooser">
<input id="certificate" type="file" accept=".p12,.pfx,application/x-pkcs12" aria-describedby="certificate-hint">
<span class="button quiet" aria-hidden="true">${words.chooseFile}</span>
<span class="chosen faint" aria-hidden="true">${words.noFile}</span>
</div>
<p class="faint" id="certificate-hint">${words.fileHint}</p>
</div>
<div class="field">
<label for="password">${words.password}</label>
<input id="password" type="password" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="password-hint">
<p class="faint secure" id="password-hint">${lock}<span>${words.staysHere}</span></p>
</div>`;
}
