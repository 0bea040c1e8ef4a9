import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { formatCount } from '../../../config/page-format.ts';
import { noticeBadge, noticeText } from '../../pages/certificate-warning.ts';
import { dashboardPath, type NavigationName } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import type { Section, Visit } from '../../visit.ts';
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

const FIGURES = [
  ['inFlight', 'Processing'],
  ['queued', 'Queued'],
  ['awaitingApproval', 'AwaitingApproval'],
  ['awaitingSigner', 'AwaitingSigner'],
  ['failedToday', 'Failed'],
  ['completedToday', 'Completed'],
] as const;

const isOfToday = (name: string): boolean => name.endsWith('Today');

async function homePage(visit: Visit, overview: Overview): Promise<Answer> {
  const { language } = visit;
  const words = homeWords(language);
  const figures = FIGURES.map(
    ([name, status]) => html`<a class="card" href="${dashboardPath(
      `jobs?${new URLSearchParams({ status, ...(isOfToday(name) && { from: overview.today }) })}`,
    )}">
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
</div>`,
  });
}

function attention(
  { language }: Visit,
  { tasks, expiring }: Overview,
  words: ReturnType<typeof homeWords>,
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
      html`<li><a href="${dashboardPath(pageOf(task))}">${task.name}</a><span class="faint">${task.detail}</span></li>`,
  )}${profiles}</ul>`;
}
