import { html } from 'hono/html';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { codeField } from './code-field.ts';
import { portalPath } from './portal-frame.ts';

const panelWords = translations({
  title: { en: 'With a cloud certificate', 'pt-BR': 'Com certificado em nuvem' },
  explain: {
    en: 'You allow the signature at the provider that keeps your certificate, and come back here.',
    'pt-BR': 'Você permite a assinatura no provedor que guarda seu certificado e volta para cá.',
  },
  sign: { en: 'Sign and approve in the cloud', 'pt-BR': 'Assinar e aprovar na nuvem' },
});

type CloudPanel = {
  readonly language: Language;
  readonly jobId: string;
  /** Whether the last right code is too old. */
  readonly needsCode: boolean;
};

/** The form by which an approver signs with a cloud certificate. It needs no script. */
export function cloudPanel({ language, jobId, needsCode }: CloudPanel): Markup {
  const words = panelWords(language);
  return html`<section class="signing" aria-labelledby="cloud-title">
<h3 id="cloud-title">${words.title}</h3>
<form class="decide" method="post" action="${portalPath(`jobs/${encodeURIComponent(jobId)}/cloud-signature`)}">
<p class="faint" id="cloud-explain">${words.explain}</p>
${needsCode ? codeField({ language, id: 'cloud-code', name: 'code' }) : ''}
<button class="button quiet wide" aria-describedby="cloud-explain">${words.sign}</button>
</form>
</section>`;
}
