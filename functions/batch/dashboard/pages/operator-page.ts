import { html } from 'hono/html';
import { endedNotice } from '../../../../shared/console/pages/member-page.ts';
import type { Answer } from '../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../shared/ui/page.ts';
import { translations } from '../../../../shared/ui/translations.ts';
import { timeOf } from '../../config/page-format.ts';
import type { Pipeline } from '../../pipeline/domain/pipeline.ts';
import { queryText, type Visit } from '../visit.ts';
import { dashboardPage, dashboardPath, type NavigationName } from './frame.ts';
import { doneNotice } from './parts.ts';
import { givenText } from './text.ts';

const pageWords = translations({
  paused: {
    en: 'The pipeline is paused: no job is picked up until it is resumed.',
    'pt-BR': 'O processamento está pausado: nenhum trabalho começa até ser retomado.',
  },
  pausedBy: { en: 'Paused by', 'pt-BR': 'Pausado por' },
  reason: { en: 'Reason:', 'pt-BR': 'Motivo:' },
  resume: { en: 'Resume…', 'pt-BR': 'Retomar…' },
});

type OperatorPage = {
  readonly title: string;
  readonly current: NavigationName;
  readonly body: Markup;
  readonly status?: number;
  /**
   * What forms of this section have done, by the word in `?done=`. Content spoofing: any other word shows nothing, so
   * that a link cannot put words on a page.
   */
  readonly done?: Readonly<Record<string, string>>;
  /** Further origins that its scripts call. */
  readonly connectsTo?: readonly string[];
  /** The address of the page, where it is the answer to a form. */
  readonly address?: string;
};

/** A page for an operator who is logged in. */
export async function operatorPage(visit: Visit, options: OperatorPage): Promise<Answer> {
  const { language, operator, address } = visit;
  const { done = {}, body, ...rest } = options;
  const word = queryText(visit, 'done');
  return dashboardPage({
    language,
    address,
    operator: operator.application,
    ...rest,
    body: html`${endedNotice(language, dashboardPath())}
${options.current === 'pipeline' ? '' : pauseBanner(await visit.pipeline, visit)}
${doneNotice(Object.hasOwn(done, word) ? done[word] : undefined)}
${body}`,
  });
}

/** Tells that nothing is picked up. It is kept up to date with the live parts of its page. */
function pauseBanner({ state, pausedAt, pausedBy, reason }: Pipeline, { language }: Visit): Markup {
  const words = pageWords(language);
  const isPaused = state === 'Paused';
  const by = html`${words.pausedBy} ${givenText(pausedBy ?? '')}${pausedAt ? html`, ${timeOf(language, Date.parse(pausedAt))}` : ''}.`;
  return html`<div class="paused-banner" id="pipeline-paused" role="status" data-live-along>${
    isPaused
      ? html`<div><p><strong>${words.paused}</strong></p>
<p>${by}${reason ? html` ${words.reason} ${givenText(reason)}` : ''}</p></div>
<a class="button quiet" href="${dashboardPath('pipeline')}">${words.resume}</a>`
      : ''
  }</div>`;
}
