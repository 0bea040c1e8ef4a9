import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { instanceName } from '../../../config/instance-name.ts';
import { formatCount, timeOf } from '../../../config/page-format.ts';
import { type ListedInstance, listInstances } from '../../../domain/list-instances.ts';
import { settings } from '../../../settings.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { badge } from '../../pages/parts.ts';
import type { Section, Visit } from '../../visit.ts';

const clusterWords = translations({
  title: { en: 'Cluster', 'pt-BR': 'Cluster' },
  hint: {
    en: (seconds: number) =>
      `The instances that share this store. One that sends no heartbeat for ${seconds} seconds is stale: a live one takes over its jobs.`,
    'pt-BR': (seconds: number) =>
      `As instâncias que compartilham este armazenamento. Uma que passa ${seconds} segundos sem sinal está parada: uma ativa assume seus trabalhos.`,
  },
  name: { en: 'Instance', 'pt-BR': 'Instância' },
  thisOne: { en: 'this page is of it', 'pt-BR': 'esta página é dela' },
  state: { en: 'State', 'pt-BR': 'Estado' },
  Live: { en: 'Live', 'pt-BR': 'Ativa' },
  Stopped: { en: 'Stopped', 'pt-BR': 'Encerrada' },
  Stale: { en: 'Stale', 'pt-BR': 'Sem sinal' },
  version: { en: 'Version', 'pt-BR': 'Versão' },
  started: { en: 'Started', 'pt-BR': 'Início' },
  heartbeat: { en: 'Last heartbeat', 'pt-BR': 'Último sinal' },
  folders: { en: 'Folders', 'pt-BR': 'Pastas' },
  inFlight: { en: 'In flight', 'pt-BR': 'Em andamento' },
  none: {
    en: 'No instance has sent a heartbeat yet. The first one comes within a minute.',
    'pt-BR': 'Nenhuma instância enviou sinal ainda. O primeiro chega em um minuto.',
  },
});

const TONES = { Live: 'good', Stopped: 'neutral', Stale: 'bad' } as const;

function columnsOf({ language }: Visit): readonly Column<ListedInstance>[] {
  const words = clusterWords(language);
  return [
    {
      title: words.name,
      kind: 'file',
      cell: ({ name }) =>
        html`<bdi>${name}</bdi>${name === instanceName() ? html`<span class="faint">${words.thisOne}</span>` : ''}`,
    },
    { title: words.state, kind: 'text', cell: ({ state }) => badge(words[state], TONES[state]) },
    { title: words.version, kind: 'text', cell: ({ version }) => version },
    { title: words.started, kind: 'text', cell: ({ startedAt }) => timeOf(language, Date.parse(startedAt)) },
    {
      title: words.heartbeat,
      kind: 'text',
      cell: ({ lastHeartbeat }) => timeOf(language, Date.parse(lastHeartbeat)),
    },
    { title: words.folders, kind: 'wide', cell: ({ folders }) => folders.join(', ') },
    { title: words.inFlight, kind: 'number', cell: ({ inFlight }) => formatCount(language, inFlight) },
  ];
}

async function showCluster(visit: Visit): Promise<Answer> {
  const words = clusterWords(visit.language);
  const instances = await listInstances(visit.nowMs);
  return operatorPage(visit, {
    title: words.title,
    current: 'cluster',
    body: html`<div><h1>${words.title}</h1>
<p class="faint">${words.hint(settings['Cluster:StaleAfterSeconds'])}</p></div>
<div id="instances" data-live="5">${
      instances.length === 0
        ? html`<p class="card">${words.none}</p>`
        : renderTable(columnsOf(visit), instances)
    }</div>`,
  });
}

/** The instances that share the store. */
export const cluster: Section = { pages: { cluster: showCluster }, forms: {} };
