import { html } from 'hono/html';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../shared/http/answer.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { dashboardPage, dashboardPath } from './frame.ts';
import { refusalText } from './refusal-words.ts';

const words = translations({
  refused: { en: 'That was not done', 'pt-BR': 'Isso não foi feito' },
  code: { en: 'Code', 'pt-BR': 'Código' },
  back: { en: 'Back to the overview', 'pt-BR': 'Voltar à visão geral' },
});

/** A refusal as a page: what happened, what to do, and the way back. */
export function refusalPage(language: Language, refusal: Refusal, address: string): Promise<Answer> {
  const own = words(language);
  const isForm = refusal.status !== 404;
  return dashboardPage({
    title: own.refused,
    language,
    // The choice of a language is a page of its own: a form cannot be asked for again.
    address: isForm ? dashboardPath() : address,
    status: refusal.status,
    body: html`<div class="card notice">
<h1>${own.refused}</h1>
<p>${refusalText(language, refusal)}</p>
<p class="faint">${own.code}: <code>${refusal.code}</code></p>
<a class="button quiet" href="${dashboardPath()}">${own.back}</a>
</div>`,
  });
}
