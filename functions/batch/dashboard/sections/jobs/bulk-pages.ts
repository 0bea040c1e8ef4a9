import { html } from 'hono/html';
import type { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { renderTable } from '../../../../../shared/ui/table.ts';
import { formatCount, timeOf } from '../../../config/page-format.ts';
import { errors } from '../../../errors.ts';
import { type Bulk, type BulkKind, refusedOf } from '../../../jobs/domain/bulk/bulk.ts';
import type { JobFilter } from '../../../jobs/domain/list-jobs.ts';
import { MAX_REASON_CHARACTERS } from '../../../jobs/reason.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { badge, confirmed, factList, problemBox, textArea } from '../../pages/parts.ts';
import { givenText } from '../../pages/text.ts';
import type { Visit } from '../../visit.ts';
import { bulkKindWords, bulkMeanings, bulkStateWords, bulkWords } from './bulk-words.ts';
import { shortErrorText } from './filter-form.ts';
import type { Filters } from './filters.ts';
import { jobWords } from './job-words.ts';
import { listWords } from './list-words.ts';
import { sourceWords, stateWords } from './state-words.ts';

/** Why the action was not started. */
export type PreviewProblem = { readonly refusal: Refusal; readonly typedReason: string };

type Preview = {
  readonly kind: BulkKind;
  readonly filters: Filters;
  readonly count: number;
  readonly problem?: PreviewProblem;
};

/** The number of jobs that an action would take, and the form that starts it. */
export function previewPage(visit: Visit, { kind, filters, count, problem }: Preview): Promise<Answer> {
  const { language, nowMs } = visit;
  const words = bulkWords(language);
  const jobs = words.jobs(formatCount(language, count), count === 1);
  const title = words.question(bulkKindWords(language)[kind], jobs);
  const refusal = problem?.refusal;
  const back = dashboardPath(`jobs?${filters.query}`);
  const hidden = [['action', kind], ['before', String(nowMs)], ...filters.query].map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
  return operatorPage(visit, {
    title,
    current: 'jobs',
    status: refusal?.status ?? 200,
    address: dashboardPath(`jobs/bulk/new?${new URLSearchParams([['action', kind], ...filters.query])}`),
    body: html`<p><a href="${back}">← ${words.back}</a></p>
<h1>${title}</h1>
${refusal ? problemBox(errors.text(refusal.code, language) ?? refusal.message, refusal.code) : ''}
${filterFacts(language, filters.filter)}
${
  count === 0
    ? html`<p class="note">${words.nothing}</p>`
    : html`<form class="card stack" method="post" action="${dashboardPath('jobs/bulk/start')}">
${hidden}
<p>${bulkMeanings(language)[kind]} ${words.later}</p>
${kind === 'cancel' ? reasonField(language, problem?.typedReason ?? '') : ''}
<div class="actions"><button class="button${kind === 'retry' ? '' : ' danger'}">${bulkKindWords(language)[kind]} ${jobs}</button>
<a class="button quiet" href="${back}">${words.back}</a></div>
</form>`
}`,
  });
}

const reasonField = (language: Language, value: string): Markup => {
  const words = jobWords(language);
  return textArea({
    id: 'reason',
    label: words.cancelReason,
    hint: words.reasonHint(MAX_REASON_CHARACTERS),
    value,
    attributes: html` rows="3" maxlength="${MAX_REASON_CHARACTERS}" dir="auto"`,
  });
};

/** The filters of an action, as the form of the list names them. */
function filterFacts(language: Language, filter: JobFilter): Markup {
  const words = listWords(language);
  const time = (ms: number | undefined): Markup | '' => (ms === undefined ? '' : timeOf(language, ms));
  const { status, profile, source, text, error, fromMs, untilMs, failedFromMs, failedUntilMs } = filter;
  const facts: [string, Markup | string][] = [
    [words.text, text ? givenText(text) : ''],
    [words.status, status ? stateWords(language)[status] : ''],
    [words.profile, profile ? givenText(profile) : ''],
    [words.source, source ? sourceWords(language)[source] : ''],
    [words.error, error ? html`${shortErrorText(language, error)} <code>${error}</code>` : ''],
    [words.from, time(fromMs)],
    // The last millisecond of the range.
    [words.to, time(untilMs && untilMs - 1)],
    [words.failedFrom, time(failedFromMs)],
    [words.failedTo, time(failedUntilMs && failedUntilMs - 1)],
  ];
  const title = bulkWords(language);
  return html`<section class="card stack" aria-labelledby="chosen"><h2 id="chosen">${title.filters}</h2>
${facts.some(([, value]) => value !== '') ? factList(facts) : html`<p>${title.allJobs}</p>`}</section>`;
}

const TONES = { Running: 'neutral', Done: 'good', Stopped: 'warn' } as const;

/** One action, and how far it has come. While it runs the page is kept up to date. */
export function bulkPage(visit: Visit, bulk: Bulk): Promise<Answer> {
  const { language } = visit;
  const words = bulkWords(language);
  const title = `${bulkKindWords(language)[bulk.kind]}: ${words.jobs(formatCount(language, bulk.expected), bulk.expected === 1)}`;
  const isRunning = bulk.state === 'Running';
  return operatorPage(visit, {
    title,
    current: 'jobs',
    done: { stopped: words.stopped },
    body: html`<p><a href="${dashboardPath('jobs')}">← ${jobWords(language).back}</a> · <a href="${dashboardPath('jobs/bulk')}">${words.recent}</a></p>
<div class="stack" id="bulk"${isRunning ? html` data-live="2"` : ''}>
<div class="title"><h1>${title}</h1> ${badge(bulkStateWords(language)[bulk.state], TONES[bulk.state])}</div>
${progressSection(language, bulk)}
${filterFacts(language, bulk.filter)}
</div>`,
  });
}

function progressSection(language: Language, bulk: Bulk): Markup {
  const words = bulkWords(language);
  const count = (value: number): string => formatCount(language, value);
  const handled = bulk.done + bulk.skipped + refusedOf(bulk);
  const refused = Object.entries(bulk.refused);
  return html`<section class="card stack" aria-labelledby="progress"><h2 id="progress">${words.progress}</h2>
${
  bulk.state === 'Running'
    ? html`<progress class="bulk-progress" aria-labelledby="progress" max="${Math.max(bulk.expected, handled)}" value="${handled}"></progress>
<p class="faint">${words.goesOn}</p>`
    : ''
}
${factList([
  [words.expected, count(bulk.expected)],
  [words.done, count(bulk.done)],
  [words.skipped, count(bulk.skipped)],
  [words.refused, count(refusedOf(bulk))],
  [words.started, timeOf(language, bulk.startedAtMs, 'medium')],
  [words.ended, bulk.endedAtMs === null ? '' : timeOf(language, bulk.endedAtMs, 'medium')],
  [words.by, givenText(bulk.by)],
  [words.reason, bulk.reason ? givenText(bulk.reason) : ''],
])}
${
  refused.length > 0
    ? renderTable(
        [
          {
            title: words.why,
            kind: 'wide',
            cell: ([code]) =>
              html`${errors.text(code, language) ?? code}<span class="faint"><code>${code}</code></span>`,
          },
          { title: words.refused, kind: 'number', cell: ([, jobs]) => count(jobs) },
        ],
        refused,
      )
    : ''
}
${
  bulk.state === 'Running'
    ? html`<div class="actions">${confirmed({
        id: 'stop',
        summary: words.stop,
        explanation: words.stopMeans,
        button: words.stopNow,
        action: dashboardPath(`jobs/bulk/${bulk.id}/stop`),
      })}</div>`
    : ''
}</section>`;
}

/** The newest actions. */
export function bulkListPage(visit: Visit, bulks: readonly Bulk[]): Promise<Answer> {
  const { language } = visit;
  const words = bulkWords(language);
  const count = (value: number): string => formatCount(language, value);
  return operatorPage(visit, {
    title: words.recent,
    current: 'jobs',
    body: html`<p><a href="${dashboardPath('jobs')}">← ${jobWords(language).back}</a></p>
<h1>${words.recent}</h1>
<div class="stack" id="bulks" data-live="5">${
      bulks.length === 0
        ? html`<p class="card">${words.none}</p>`
        : renderTable<Bulk>(
            [
              {
                title: words.action,
                kind: 'file',
                cell: ({ id, kind, expected }) =>
                  html`<a id="bulk-${id}" href="${dashboardPath(`jobs/bulk/${id}`)}">${bulkKindWords(language)[kind]}: ${words.jobs(count(expected), expected === 1)}</a>`,
              },
              {
                title: words.state,
                kind: 'text',
                cell: ({ state }) => badge(bulkStateWords(language)[state], TONES[state]),
              },
              {
                title: words.started,
                kind: 'text',
                cell: ({ startedAtMs }) => timeOf(language, startedAtMs),
              },
              { title: words.done, kind: 'number', cell: ({ done }) => count(done) },
              { title: words.skipped, kind: 'number', cell: ({ skipped }) => count(skipped) },
              { title: words.refused, kind: 'number', cell: (bulk) => count(refusedOf(bulk)) },
              { title: words.by, kind: 'wide', cell: ({ by }) => givenText(by) },
            ],
            bulks,
          )
    }</div>`,
  });
}
