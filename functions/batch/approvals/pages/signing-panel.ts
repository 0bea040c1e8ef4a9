import { html } from 'hono/html';
import { assetUrl } from '../../../../shared/ui/assets.ts';
import { certificateFields } from '../../../../shared/ui/certificate-fields.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { basePath } from '../../auth/domain/return-path.ts';
import { codeField } from './code-field.ts';
import { portalPath } from './portal-frame.ts';

const panelWords = translations({
  title: { en: 'With a certificate file', 'pt-BR': 'Com arquivo de certificado' },
  needsScript: {
    en: 'To sign with a file, turn JavaScript on and reload the page. Rejecting works without it.',
    'pt-BR':
      'Para assinar com um arquivo, ative o JavaScript e recarregue a página. Rejeitar funciona sem ele.',
  },
  sign: { en: 'Sign and approve', 'pt-BR': 'Assinar e aprovar' },
});

export type SigningView = {
  readonly language: Language;
  readonly jobId: string;
  /** Whether the second factor asks for a code now. */
  readonly needsCode: boolean;
  /** The hash of the file that the page shows, in hex: nothing else is signed. */
  readonly contentSha256: string;
};

/** The script of the panel, for the page that shows it. */
export const signingScript = (): string => assetUrl(basePath(), 'batch-approver-signing.js');

/**
 * The part of a job's page where an approver signs with a certificate file. The key stays in the browser. Its fields have
 * no `name`: a form without its script sends nothing.
 * @example portalPage({ …, scripts: [signingScript()], body: html`…${signingPanel(view)}` });
 */
export function signingPanel({ language, jobId, needsCode, contentSha256 }: SigningView): Markup {
  const words = panelWords(language);
  const job = encodeURIComponent(jobId);
  return html`<section class="signing" aria-labelledby="sign-title">
<h3 id="sign-title">${words.title}</h3>
<noscript><p class="note">${words.needsScript}</p></noscript>
<form class="form" id="sign" data-portal="${portalPath()}" data-job="${job}" data-sha256="${contentSha256}" novalidate>
<fieldset disabled>
${certificateFields(language)}
${codeField({ language, id: 'code', hidden: !needsCode })}
<div class="problem" role="alert" tabindex="-1" hidden></div>
<p class="working" role="status"></p>
<button class="button wide" type="submit">${words.sign}</button>
</fieldset>
</form>
</section>`;
}
