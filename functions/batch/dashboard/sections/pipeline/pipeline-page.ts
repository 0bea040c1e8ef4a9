import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { formatCount, formatName, timeOf } from '../../../config/page-format.ts';
import { MAX_REASON_CHARACTERS } from '../../../jobs/reason.ts';
import type { renderPipeline } from '../../../pipeline/domain/render-pipeline.ts';
import { settings } from '../../../settings.ts';
import { figureIn } from '../../pages/done.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { badge, confirmed, factList, textField } from '../../pages/parts.ts';
import { givenText } from '../../pages/text.ts';
import type { Visit } from '../../visit.ts';
import { pipelineWords } from './pipeline-words.ts';

type Pipeline = Awaited<ReturnType<typeof renderPipeline>>;
type Words = ReturnType<typeof pipelineWords>;

/** A reason that was refused, and why. */
type RefusedReason = { readonly value: string; readonly problem: string };

export function pipelinePage(visit: Visit, pipeline: Pipeline, refused?: RefusedReason): Promise<Answer> {
  const words = pipelineWords(visit.language);
  return operatorPage(visit, {
    title: words.title,
    current: 'pipeline',
    ...(refused && { status: 400, address: dashboardPath('pipeline') }),
    done: {
      paused: words.pausedDone,
      resumed: words.resumedDone,
      cleaned: figuresText(visit, words.cleaned, CLEANED, words),
      cleared: figuresText(visit, words.cleared, CLEARED, words),
    },
    body: html`<h1>${words.title}</h1>
<section class="card stack" id="pipeline" data-live="5" aria-label="${words.state}">${stateOf(visit, pipeline, words)}</section>
${reasonForm(pipeline, words, refused)}
<section class="card stack" aria-labelledby="cleanup"><h2 id="cleanup">${words.cleanup}</h2>
<p>${words.cleanupHint}</p>
${factList(
  DAYS.map(([name, setting]) => [words[name], words.days(formatCount(visit.language, settings[setting]))]),
)}
${confirmed({
  summary: words.cleanupStart,
  explanation: words.cleanupMeans,
  button: words.cleanupNow,
  action: dashboardPath('pipeline/cleanup'),
})}</section>
<section class="card stack" aria-labelledby="clear"><h2 id="clear">${words.clear}</h2>
<p>${words.clearHint}</p>
${confirmed({
  summary: words.clearStart,
  explanation: words.clearMeans,
  button: words.clearNow,
  action: dashboardPath('pipeline/clear'),
})}</section>`,
  });
}

const DAYS = [
  ['jobDays', 'Retention:JobDays'],
  ['outputDays', 'Retention:OutputDays'],
  ['errorDays', 'Retention:ErrorDays'],
  ['eventDays', 'Retention:EventDays'],
] as const;

const CLEANED = [
  'jobsDeleted',
  'outputFilesDeleted',
  'errorFilesDeleted',
  'operationalEventsDeleted',
  'filesMissing',
  'errors',
] as const;
const CLEARED = ['deleted', 'skipped'] as const;

const figuresText = (
  visit: Visit,
  sentence: string,
  names: readonly (typeof CLEANED | typeof CLEARED)[number][],
  words: Words,
): string =>
  `${sentence} ${names
    .map((name) => `${words[name]}: ${formatCount(visit.language, figureIn(visit, name))}`)
    .join(' · ')}. ${words.goesOn}`;

function stateOf({ language }: Visit, pipeline: Pipeline, words: Words): Markup {
  const { paused, pausedAtUtc, resumedAtUtc, pausedBy, reason, jobsInFlightByFormat: inFlight } = pipeline;
  const time = (at: string | null): Markup | '' => (at ? timeOf(language, Date.parse(at)) : '');
  return html`<p>${badge(paused ? words.paused : words.running, paused ? 'bad' : 'good')} ${
    paused ? words.pausedHint : words.runningHint
  }</p>
${factList([
  [words.since, time(paused ? pausedAtUtc : resumedAtUtc)],
  [words.by, paused && pausedBy ? givenText(pausedBy) : ''],
  [words.reason, reason ? givenText(reason) : ''],
  [
    words.inFlight,
    words.of(formatCount(language, inFlight.total), formatCount(language, pipeline.maxConcurrency)),
  ],
  [formatName('Pades'), formatCount(language, inFlight.pades)],
  [formatName('Cades'), formatCount(language, inFlight.cades)],
  [formatName('Xades'), formatCount(language, inFlight.xades)],
])}`;
}

// It is not among the live parts: somebody may be typing. A pause of a paused pipeline changes nothing.
function reasonForm({ paused }: Pipeline, words: Words, refused: RefusedReason | undefined): Markup {
  return html`<form class="card stack" method="post" action="${dashboardPath(paused ? 'pipeline/resume' : 'pipeline/pause')}">
<h2>${paused ? words.resume : words.pause}</h2>
${textField({
  id: 'reason',
  label: words.reason,
  value: refused?.value ?? '',
  hint: words.reasonHint,
  problem: refused?.problem,
  attributes: html` maxlength="${MAX_REASON_CHARACTERS}" autocomplete="off"`,
})}
<div class="actions"><button class="button">${paused ? words.resume : words.pause}</button></div>
</form>`;
}
