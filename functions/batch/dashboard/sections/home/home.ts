import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { formatAxis } from '../../../../../shared/ui/time.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { formatCount } from '../../../config/page-format.ts';
import { settings } from '../../../settings.ts';
import { noticeBadge, noticeText } from '../../pages/certificate-warning.ts';
import { columnChart } from '../../pages/column-chart.ts';
import { dashboardPath, type NavigationName } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { recordedText } from '../../pages/text.ts';
import type { Section, Visit } from '../../visit.ts';
import type { Activity, RecentActivity } from './activity.ts';
import { type OpenTask, type Overview, readOverview } from './overview.ts';

/** The overview: what is under way, and what waits for an operator. */
export const home: Section = {
  pages: { '': async (visit) => homePage(visit, await readOverview(visit.nowMs)) },
  forms: {},
};

const homeWords = translations({
  title: { en: 'Overview', 'pt-BR': 'Visão geral' },
  inFlight: { en: 'In flight', 'pt-BR': 'Em andamento' },
  queued: { en: 'In the queue', 'pt-BR': 'Na fila' },
  awaitingSigner: { en: 'Waiting for signers', 'pt-BR': 'Aguardando signatários' },
  awaitingApproval: { en: 'Waiting for approval', 'pt-BR': 'Aguardando aprovação' },
  failedToday: { en: 'Failed today', 'pt-BR': 'Falhas hoje' },
  completedToday: { en: 'Completed today', 'pt-BR': 'Concluídos hoje' },
  activity: { en: 'Jobs that ended', 'pt-BR': 'Trabalhos que terminaram' },
  lastDay: { en: 'Last 24 hours', 'pt-BR': 'Últimas 24 horas' },
  lastWeek: { en: 'Last 7 days', 'pt-BR': 'Últimos 7 dias' },
  byHour: { en: 'By hour', 'pt-BR': 'Por hora' },
  byDay: { en: 'By day', 'pt-BR': 'Por dia' },
  completed: { en: 'Completed', 'pt-BR': 'Concluídos' },
  failed: { en: 'Failed', 'pt-BR': 'Com falha' },
  attention: { en: 'Needs your attention', 'pt-BR': 'Precisa da sua atenção' },
  nothing: { en: 'Nothing waits for you.', 'pt-BR': 'Nada espera por você.' },
  nothingElse: { en: 'Nothing else waits for you.', 'pt-BR': 'Nada mais espera por você.' },
  profile: {
    en: (name: string) => `Profile ${name}`,
    'pt-BR': (name: string) => `Perfil ${name}`,
  },
});

/** The page that a check belongs to, by the first part of its name. */
const PAGES: Readonly<Record<string, NavigationName>> = {
  'signing-profile': 'profiles',
  'profile-input-folder': 'profiles',
  'input-folder': 'folders',
  'cluster-instance': 'cluster',
};

const pageOf = ({ name }: OpenTask): NavigationName => PAGES[name.split(':')[0] ?? ''] ?? 'readiness';

/** The figures, each with the page that lists what it counts. */
const FIGURES = {
  inFlight: () => 'jobs?status=Processing',
  queued: () => 'jobs?status=Queued',
  awaitingApproval: () => 'jobs?status=AwaitingApproval',
  awaitingSigner: () => 'jobs?status=AwaitingSigner',
  failedToday: (today: string) => `jobs?status=Failed&failedFrom=${today}`,
  completedToday: (today: string) => `events?type=JobCompleted&from=${today}`,
} as const;
const FIGURE_NAMES = Object.keys(FIGURES) as (keyof typeof FIGURES)[];

async function homePage(visit: Visit, overview: Overview): Promise<Answer> {
  const { language } = visit;
  const words = homeWords(language);
  const figures = FIGURE_NAMES.map(
    (name) => html`<a class="card" href="${dashboardPath(FIGURES[name](overview.today))}">
<span>${words[name]}</span><strong>${formatCount(language, overview[name])}</strong></a>`,
  );
  return operatorPage(visit, {
    title: words.title,
    current: 'overview',
    body: html`<h1>${words.title}</h1>
<div class="stack" id="overview" data-live="5">
<div class="figures">${figures}</div>
<section class="card stack" aria-labelledby="attention"><h2 id="attention">${words.attention}</h2>
${attention(visit, overview, words, (await visit.pipeline).state === 'Paused')}</section>
${activitySection(visit, overview.activity, words)}
</div>`,
  });
}

/** What ended lately, drawn by hour and by day. */
function activitySection({ language }: Visit, { hours, days }: RecentActivity, words: Words): Markup {
  const zone = settings['Cnab240:TimeZone'];
  const columnOf =
    (axis: 'hour' | 'day') =>
    ({ atMs, completed, failed }: Activity) => ({
      label: formatAxis(language, axis, atMs, zone),
      values: [completed, failed],
    });
  const common = {
    parts: [
      { name: words.completed, tone: 'good' },
      { name: words.failed, tone: 'bad' },
    ],
    format: (value: number) => formatCount(language, value),
  } as const;
  return html`<section class="card stack" aria-labelledby="activity"><h2 id="activity">${words.activity}</h2>
<div class="charts">
${columnChart({ ...common, id: 'day', title: words.lastDay, labelTitle: words.byHour, columns: hours.map(columnOf('hour')) })}
${columnChart({ ...common, id: 'week', title: words.lastWeek, labelTitle: words.byDay, columns: days.map(columnOf('day')) })}
</div></section>`;
}

type Words = ReturnType<typeof homeWords>;

function attention(
  { language }: Visit,
  { tasks, expiring }: Overview,
  words: Words,
  isPaused: boolean,
): Markup {
  if (tasks.length + expiring.length === 0)
    return html`<p>${isPaused ? words.nothingElse : words.nothing}</p>`;
  const profiles = expiring.map(
    ({ name, notice }) =>
      html`<li><span><a href="${dashboardPath(`profiles/${name}`)}">${words.profile(name)}</a> ${noticeBadge(language, notice)}</span><span class="faint">${noticeText(language, notice)}</span></li>`,
  );
  return html`<ul class="tasks">${tasks.map(
    (task) =>
      html`<li><a href="${dashboardPath(pageOf(task))}">${task.name}</a><span class="faint">${recordedText(language, task.detail)}</span></li>`,
  )}${profiles}</ul>`;
}
