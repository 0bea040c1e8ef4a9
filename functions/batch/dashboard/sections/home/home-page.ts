import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { formatCount } from '../../../page-format.ts';
import { dashboardPath, type NavigationName } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import type { Visit } from '../../visit.ts';
import type { OpenTask, Overview } from './overview.ts';

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
  paused: {
    en: (by: string) => `The pipeline is paused by ${by}. No job is picked up until it is resumed.`,
    'pt-BR': (by: string) =>
      `O processamento está pausado por ${by}. Nenhum trabalho começa até ser retomado.`,
  },
  reason: { en: 'Reason', 'pt-BR': 'Motivo' },
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

export function homePage(visit: Visit, overview: Overview): Promise<Answer> {
  const { language } = visit;
  const words = homeWords(language);
  const figures = FIGURES.map(
    ([name, status]) => html`<a class="card" href="${dashboardPath(`jobs?status=${status}`)}">
<span>${words[name]}</span><strong>${formatCount(language, overview[name])}</strong></a>`,
  );
  return operatorPage(visit, {
    title: words.title,
    current: 'overview',
    body: html`<h1>${words.title}</h1>
<div class="stack" id="overview" data-live="5">
<div class="figures">${figures}</div>
<section class="card stack" aria-labelledby="attention"><h2 id="attention">${words.attention}</h2>
${attention(overview, words)}</section>
</div>`,
  });
}

function attention({ pause, tasks }: Overview, words: ReturnType<typeof homeWords>): Markup {
  if (!pause && tasks.length === 0) return html`<p>${words.nothing}</p>`;
  return html`<ul class="tasks">${
    pause
      ? html`<li><a href="${dashboardPath('pipeline')}">${words.paused(pause.by)}</a>${
          pause.reason && html`<span class="faint">${words.reason}: ${pause.reason}</span>`
        }</li>`
      : ''
  }${tasks.map(
    (task) =>
      html`<li><a href="${dashboardPath(pageOf(task))}">${task.name}</a><span class="faint">${task.detail}</span></li>`,
  )}</ul>`;
}
