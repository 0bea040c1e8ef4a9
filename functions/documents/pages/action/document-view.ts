import { html } from 'hono/html';
import { sheet } from '../../../../shared/ui/icons.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import type { Details } from './page.ts';
import { actionWords } from './words.ts';

/** The document itself: a PDF by the browser's own viewer, anything else to download. */
export function documentView(details: Details, address: string, language: Language): Markup {
  const words = actionWords(language);
  const isPdf = details.mimeType === 'application/pdf';
  return html`<section class="document" aria-label="${words.document}">
${
  isPdf
    ? // A browser without a viewer shows what is inside instead.
      html`<object class="viewer" type="application/pdf" data="${address}#navpanes=0" aria-label="${details.name}">
${card(words.noViewer, html`<a class="button quiet" href="${address}" target="_blank" rel="noreferrer">${words.openDocument}</a>`)}
</object>
<p class="faint beside"><a href="${address}" target="_blank" rel="noreferrer">${words.openDocument}</a></p>`
    : card(
        words.notShown,
        html`<a class="button quiet" href="${address}" download>${words.downloadDocument}</a>`,
      )
}
</section>`;
}

const card = (text: string, link: Markup): Markup => html`<div class="card file">
<span class="large">${sheet}</span>
<p>${text}</p>
${link}
</div>`;
