import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Language } from '../../../../../shared/ui/languages.ts';
import { formatSize } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { formatCount, formatName, timeOf } from '../../../config/page-format.ts';
import { readBackupGauges } from '../../../installation/backup/domain/list-backups.ts';
import { type GaugeName, METRICS, type MetricName } from '../../../operations/domain/metrics-table.ts';
import { renderMetrics } from '../../../operations/domain/render-metrics.ts';
import { readPipelineGauges } from '../../../pipeline/domain/read-gauges.ts';
import { barChart } from '../../pages/charts.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import type { Section, Visit } from '../../visit.ts';
import { metricsPageWords, metricWords } from './metric-words.ts';
import { histogramsOf, readSamples, type Sample } from './samples.ts';

type View = { readonly language: Language; readonly samples: readonly Sample[] };

/** The part of the page that a metric stands in, by the start of its name. The first that fits counts. */
const GROUPS = {
  approvals: /^bulk_(approv|second_factor|jobs_(parked|released))/,
  signer: /^bulk_(signer|jobs_dispatched)/,
  operations: /^bulk_(pipeline|backup|log_sink)/,
  checks: /^bulk_(cert|inputs|cnab240|jobs_(content|verify))/,
  jobs: /^bulk_/,
} as const;
type Group = keyof typeof GROUPS;
const ORDER: readonly Group[] = ['jobs', 'approvals', 'signer', 'checks', 'operations'];

const groupOf = (name: MetricName): Group =>
  (Object.keys(GROUPS) as Group[]).find((group) => GROUPS[group].test(name)) ?? 'jobs';

const NAMES = Object.keys(METRICS) as MetricName[];
const namesOf = (type: 'counter' | 'gauge' | 'histogram', group?: Group): readonly MetricName[] =>
  NAMES.filter((name) => METRICS[name].type === type && (!group || groupOf(name) === group));

function metricsPage(visit: Visit, samples: readonly Sample[]): Promise<Answer> {
  const { language } = visit;
  const words = metricsPageWords(language);
  const view = { language, samples };
  const names = metricWords(language);
  const gauges = namesOf('gauge').map(
    (name) =>
      html`<div class="card"><span>${names[name]}</span><strong>${gaugeText(view, name as GaugeName)}</strong></div>`,
  );
  const groups = ORDER.map((group) => ({ group, charts: chartsOf(view, group) }))
    .filter(({ charts }) => charts.length > 0)
    .map(
      ({
        group,
        charts,
      }) => html`<section class="card stack" aria-labelledby="${group}"><h2 id="${group}">${words[group]}</h2>
<div class="charts">${charts}</div></section>`,
    );
  return operatorPage(visit, {
    title: words.title,
    current: 'metrics',
    body: html`<div><h1>${words.title}</h1><p class="faint">${words.hint}</p></div>
<div class="stack" id="metrics" data-live="10">
<section class="stack" aria-labelledby="now"><h2 id="now">${words.now}</h2><div class="figures">${gauges}</div></section>
${groups}
</div>`,
  });
}

function gaugeText({ language, samples }: View, name: GaugeName): Markup | string {
  const words = metricsPageWords(language);
  const value = samples.find((sample) => sample.name === name)?.value ?? 0;
  if (name === 'bulk_pipeline_paused') return value === 1 ? words.yes : words.no;
  if (name === 'bulk_backup_last_success_timestamp_seconds')
    return value === 0 ? words.never : html`<span class="when">${timeOf(language, value * 1000)}</span>`;
  if (name === 'bulk_backup_last_size_bytes') return formatSize(language, value);
  return formatCount(language, value);
}

/** Counters without labels in one chart, the others in one each, and the durations. Without a count, none. */
function chartsOf(view: View, group: Group): readonly Markup[] {
  const { language, samples } = view;
  const words = metricsPageWords(language);
  const titles = metricWords(language);
  const chart = (title: string, bars: readonly { readonly label: string; readonly value: number }[]) =>
    bars.length === 0
      ? []
      : [
          barChart({
            title,
            labelTitle: words.label,
            valueTitle: words.count,
            bars,
            format: (value) => formatCount(language, value),
          }),
        ];
  const counters = namesOf('counter', group);
  const isPlain = (name: MetricName): boolean => Object.keys(METRICS[name].labels).length === 0;
  const totals = counters.filter(isPlain).map((name) => ({
    label: titles[name],
    value: samples.find((sample) => sample.name === name)?.value ?? 0,
  }));
  const labelled = counters
    .filter((name) => !isPlain(name))
    .flatMap((name) => {
      const bars = samples
        .filter((sample) => sample.name === name)
        .map(({ labels, value }) => ({ label: Object.values(labels).join(' · '), value }));
      return chart(titles[name], bars);
    });
  return [
    ...chart(words.totals, totals),
    ...labelled,
    ...namesOf('histogram', group).flatMap((name) => durationsOf(view, name)),
  ];
}

function durationsOf({ language, samples }: View, name: MetricName): readonly Markup[] {
  const words = metricsPageWords(language);
  const seconds = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
  return histogramsOf(name, samples)
    .filter(({ count }) => count > 0)
    .map(({ labels, buckets, count, sum }) => {
      const observed = words.observed(formatCount(language, count), seconds.format(sum / count));
      const title = [metricWords(language)[name], ...Object.values(labels).map(formatName)].join(' · ');
      return barChart({
        title: `${title}: ${observed}`,
        labelTitle: words.duration,
        valueTitle: words.count,
        bars: buckets.map((bucket) => ({
          label: bucket.bound === '+Inf' ? words.longer : words.upTo(seconds.format(Number(bucket.bound))),
          value: bucket.count,
        })),
        format: (value) => formatCount(language, value),
      });
    });
}

/** The metrics in charts: the figures of GET /api/metrics. */
export const metrics: Section = {
  pages: {
    metrics: async (visit) =>
      metricsPage(
        visit,
        readSamples(await renderMetrics(() => readPipelineGauges(visit.nowMs), readBackupGauges)),
      ),
  },
  forms: {},
};
