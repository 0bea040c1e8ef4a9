import { html } from 'hono/html';
import type { Refusal } from '../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../shared/ui/languages.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { errors } from '../../errors.ts';
import type { Visit } from '../visit.ts';
import { dashboardPage, dashboardPath, ENTRIES, entryOf, type NavigationName } from './frame.ts';
import { operatorPage } from './operator-page.ts';

const words = translations({
  refused: { en: 'That was not done', 'pt-BR': 'Isso não foi feito' },
  notFound: { en: 'Nothing is at this address', 'pt-BR': 'Não há nada neste endereço' },
  code: { en: 'Code', 'pt-BR': 'Código' },
  back: { en: 'Back to:', 'pt-BR': 'Voltar para:' },
});

type RefusedRequest = {
  readonly language: Language;
  readonly address: string;
  /** Without one the request came from nobody who is logged in, and the page has no navigation. */
  readonly visit: Visit | undefined;
};

/** A refusal as a page: what happened, what to do, and the way back to the section where it happened. */
export function refusalPage(request: RefusedRequest, refusal: Refusal): Promise<Answer> {
  const { language, visit, address } = request;
  const own = words(language);
  const isMissing = refusal.status === 404;
  const title = isMissing ? own.notFound : own.refused;
  const section = sectionAt(address);
  const entry = entryOf(language, section);
  const page = {
    title,
    current: section,
    // The choice of a language is a page of its own: a form cannot be asked for again.
    address: isMissing ? address : dashboardPath(),
    status: refusal.status,
    body: html`<div class="card notice">
<h1>${title}</h1>
<p>${errors.text(refusal.code, language) ?? refusal.message}</p>
<p class="faint">${own.code}: <code>${refusal.code}</code></p>
<a class="button quiet" href="${entry.href}">${own.back} ${entry.text}</a>
</div>`,
  };
  return visit ? operatorPage(visit, page) : dashboardPage({ language, ...page });
}

/** The section by the address of the request. One that is unknown is the overview. */
function sectionAt(address: string): NavigationName {
  const [, name = ''] = /\/dashboard\/([\w-]+)/.exec(address) ?? [];
  return name === 'new-profile' ? 'profiles' : (ENTRIES.find((each) => each === name) ?? 'overview');
}
