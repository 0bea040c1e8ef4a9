import { html } from 'hono/html';
import { LANGUAGE_NAMES, LANGUAGES } from '../../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../../shared/ui/page.ts';
import { checkBox, problemBox, selectField, textArea } from '../../../../../../shared/ui/parts.ts';
import { translations } from '../../../../../../shared/ui/translations.ts';
import { preferencesOf } from '../../../../domain/places/preferences.ts';
import { consolePath } from '../../../pages/frame.ts';
import type { Visit } from '../../../visit.ts';

export const preferenceWords = translations({
  title: { en: 'For the people of your documents', 'pt-BR': 'Para as pessoas dos seus documentos' },
  language: { en: 'Language', 'pt-BR': 'Idioma' },
  languageHint: {
    en: 'Of mail, and of the pages that its links open.',
    'pt-BR': 'Dos e-mails e das páginas que os links deles abrem.',
  },
  both: {
    en: 'Mail in both, pages as the browser asks',
    'pt-BR': 'E-mails nos dois, páginas como o navegador pede',
  },
  sentence: { en: 'Own sentence in mail', 'pt-BR': 'Frase própria nos e-mails' },
  sentenceHint: {
    en: 'In every invitation, reminder and notice. Up to 500 characters.',
    'pt-BR': 'Em todo convite, lembrete e aviso. Até 500 caracteres.',
  },
  ways: {
    en: 'Ways to sign, beside a certificate file',
    'pt-BR': 'Formas de assinar, além do arquivo de certificado',
  },
  cloud: { en: 'Certificate in the cloud', 'pt-BR': 'Certificado na nuvem' },
  token: { en: 'Token or smart card', 'pt-BR': 'Token ou cartão' },
  electronic: {
    en: 'Electronic signature, without a certificate',
    'pt-BR': 'Assinatura eletrônica, sem certificado',
  },
  save: { en: 'Save', 'pt-BR': 'Salvar' },
  done: {
    en: 'Saved. It acts on what happens from now on.',
    'pt-BR': 'Salvo. Vale para o que acontecer agora.',
  },
  wrong: {
    en: 'The sentence has up to 500 characters.',
    'pt-BR': 'A frase tem até 500 caracteres.',
  },
});

/** The language, the ways to sign and the sentence of mail that the organization chooses. */
export function preferencesCard({ organization, language }: Visit, problem: string | undefined): Markup {
  const words = preferenceWords(language);
  const { language: chosen, mailSentence, signingWays } = preferencesOf(organization);
  const names = LANGUAGES.map((value) => ({ value, text: LANGUAGE_NAMES[value] }));
  const way = (name: keyof typeof signingWays): Markup =>
    checkBox({ id: name, label: words[name], isChecked: signingWays[name] });
  return html`<section class="card" aria-labelledby="preferences"><h2 id="preferences">${words.title}</h2>
<form class="stack" method="post" action="${consolePath('organization/preferences')}">
${problemBox(problem)}
${selectField({ id: 'language', label: words.language, value: chosen ?? '', hint: words.languageHint, choices: [{ value: '', text: words.both }, ...names] })}
${textArea({ id: 'mailSentence', label: words.sentence, value: mailSentence ?? '', hint: words.sentenceHint, attributes: html` rows="2" maxlength="500"` })}
<fieldset class="stack"><legend>${words.ways}</legend>${way('cloud')}${way('token')}${way('electronic')}</fieldset>
<div class="actions"><button class="button">${words.save}</button></div>
</form></section>`;
}
