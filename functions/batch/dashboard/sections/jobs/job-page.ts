import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { formatSize } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { basePath } from '../../../auth/domain/return-path.ts';
import { formatCount, formatDates, formatName, timeOf } from '../../../config/page-format.ts';
import { describeLotSums } from '../../../jobs/domain/cnab240/lot-sums.ts';
import type { Job } from '../../../jobs/domain/job/job.ts';
import { jobStates } from '../../../jobs/domain/job/states.ts';
import { textIn } from '../../../sentences/sentences.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { factList, problemBox } from '../../pages/parts.ts';
import { recordedText } from '../../pages/text.ts';
import type { Visit } from '../../visit.ts';
import { type ActionProblem, actionsSection } from './job-actions.ts';
import { approvalSection, documentSection, historySection } from './job-parts.ts';
import { jobWords } from './job-words.ts';
import { jobPath } from './list-page.ts';
import { jobErrorText, sourceWords, stateBadge } from './state-words.ts';

export type JobView = {
  readonly job: Job;
  /** Whether its signed file can be downloaded. */
  readonly output: 'there' | 'gone' | 'none';
  /** Why a form of the page was refused. */
  readonly problem?: ActionProblem;
};

/** One job with everything that is known of it. While it is not finished, the page is kept up to date. */
export function jobPage(visit: Visit, view: JobView): Promise<Answer> {
  const { language } = visit;
  const { job, output, problem } = view;
  const words = jobWords(language);
  const isLive = !jobStates.isTerminal(job.state);
  return operatorPage(visit, {
    title: job.fileName,
    current: 'jobs',
    status: problem?.status ?? 200,
    done: { retried: words.retried, canceled: words.canceled },
    // A form that was refused is answered with this page, whose address is another.
    address: jobPath(job.id),
    body: html`<p><a href="${dashboardPath('jobs')}">← ${words.back}</a></p>
${problem && !problem.isAtReason ? problemBox(problem.text, problem.code) : ''}
<div class="stack" id="job"${isLive ? html` data-live="2" data-address="${jobPath(job.id)}"` : ''}>
<div class="title"><h1><bdi>${job.fileName}</bdi></h1> ${stateBadge(language, job.state)}</div>
${errorSection(visit, job)}${outputSection(visit, job, output)}
${actionsSection(visit, job, problem)}
${factsSection(visit, job)}
${figuresSection(visit, job)}${approvalSection(language, job)}${documentSection(language, job)}
${historySection(language, job)}
</div>`,
  });
}

function errorSection({ language }: Visit, job: Job): Markup | '' {
  const { errorCode, errorMessage, errorSaid } = job;
  if (errorCode === null && errorMessage === null) return '';
  const words = jobWords(language);
  const text = jobErrorText(language, job);
  const recorded = errorSaid ?? errorMessage;
  const isFurther = recorded !== null && textIn(language, recorded) !== text && errorMessage !== text;
  return html`<section class="problem" aria-labelledby="error"><h2 id="error">${errorCode === null ? words.whyCanceled : words.error}</h2>
<p><bdi>${text}</bdi></p>
${recorded !== null && isFurther ? html`<p class="error-code">${words.recorded} ${recordedText(language, recorded)}</p>` : ''}
${errorCode ? html`<p class="error-code">${words.code} <code>${errorCode}</code></p>` : ''}</section>`;
}

function outputSection({ language }: Visit, job: Job, output: JobView['output']): Markup | '' {
  if (output === 'none') return '';
  const words = jobWords(language);
  return output === 'gone'
    ? html`<p class="note">${words.outputGone}</p>`
    : html`<p><a class="button" href="${basePath()}/api/jobs/${job.id}/output" download>${words.download}</a></p>`;
}

// The title of the page shows some lines of a longer one.
const MAX_TITLE_CHARACTERS = 80;

function factsSection({ language }: Visit, job: Job): Markup {
  const words = jobWords(language);
  const text = (value: string | null): Markup | '' => (value ? html`<bdi>${value}</bdi>` : '');
  const { staged, found } = job;
  const link = (id: string | null | undefined): Markup | '' =>
    id ? html`<a href="${jobPath(id)}"><code>${id}</code></a>` : '';
  const bytes = staged?.length ?? found?.length;
  return html`<section class="card stack" aria-labelledby="facts"><h2 id="facts">${words.facts}</h2>
${factList([
  [words.id, html`<code>${job.id}</code>`],
  [words.profile, job.profileName],
  [words.format, formatName(job.format)],
  [words.source, sourceWords(language)[job.source]],
  [words.folder, text(job.folder)],
  [words.path, text(job.originalPath)],
  [words.created, timeOf(language, job.createdAtMs)],
  [words.updated, timeOf(language, job.updatedAtMs)],
  [words.size, bytes === undefined ? '' : formatSize(language, bytes)],
  [words.sha256, staged ? html`<code>${staged.sha256}</code>` : ''],
  [words.output, text(job.state === 'Completed' ? job.outputName : null)],
  [words.parent, link(job.parentJobId)],
  [words.retriedAs, link(job.retriedAs)],
  [words.reference, text(job.externalReference)],
  [words.instance, text(job.instance)],
  [
    words.file,
    job.fileName.length > MAX_TITLE_CHARACTERS ? html`<bdi class="long">${job.fileName}</bdi>` : '',
  ],
])}</section>`;
}

function figuresSection({ language }: Visit, { cnab240 }: Job): Markup | '' {
  if (!cnab240) return '';
  const words = jobWords(language);
  return html`<section class="card stack" aria-labelledby="figures"><h2 id="figures">${words.figures}</h2>
${factList([
  [words.total, html`<strong class="amount">${cnab240.totalFormatted}</strong>`],
  [words.payments, formatCount(language, cnab240.paymentCount)],
  [words.cancellations, formatCount(language, cnab240.cancellationCount)],
  [words.dates, formatDates(language, cnab240)],
  [words.lotSums, cnab240.lotSums ? textIn(language, describeLotSums(cnab240.lotSums)) : ''],
])}</section>`;
}
