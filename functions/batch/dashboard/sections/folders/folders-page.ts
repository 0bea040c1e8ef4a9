import { html } from 'hono/html';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { formatCount, timeOf } from '../../../config/page-format.ts';
import type { listFolders } from '../../../folders/domain/list-folders.ts';
import { figureIn } from '../../pages/done.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { badge } from '../../pages/parts.ts';
import { givenText, recordedText } from '../../pages/text.ts';
import type { Visit } from '../../visit.ts';

const folderWords = translations({
  title: { en: 'Input folders', 'pt-BR': 'Pastas de entrada' },
  hint: {
    en: 'Files that arrive here become jobs. A rescan also runs failed and canceled files again.',
    'pt-BR':
      'Os arquivos que chegam aqui viram trabalhos. Uma nova varredura também repete os que falharam ou foram cancelados.',
  },
  none: {
    en: 'There are no input folders. The setting Storage:Inputs names them.',
    'pt-BR': 'Não há pastas de entrada. A configuração Storage:Inputs as define.',
  },
  folder: { en: 'Folder', 'pt-BR': 'Pasta' },
  status: { en: 'Status', 'pt-BR': 'Status' },
  Running: { en: 'Watched', 'pt-BR': 'Monitorada' },
  Stopped: { en: 'Stopped', 'pt-BR': 'Parada' },
  Unassigned: { en: 'No profile', 'pt-BR': 'Sem perfil' },
  profile: { en: 'Profile', 'pt-BR': 'Perfil' },
  instance: { en: 'by instance', 'pt-BR': 'pela instância' },
  waiting: { en: 'Waiting', 'pt-BR': 'Esperando' },
  orMore: { en: (count: string) => `${count} or more`, 'pt-BR': (count: string) => `${count} ou mais` },
  processed: { en: 'Processed', 'pt-BR': 'Processados' },
  lastEnqueue: { en: 'Last file', 'pt-BR': 'Último arquivo' },
  lastError: { en: 'Last error', 'pt-BR': 'Último erro' },
  actions: { en: 'Actions', 'pt-BR': 'Ações' },
  rescan: { en: 'Rescan', 'pt-BR': 'Varrer' },
  rescanAll: { en: 'Rescan all', 'pt-BR': 'Varrer todas' },
  rescanned: { en: 'Rescanned.', 'pt-BR': 'Varredura feita.' },
  scanned: { en: 'Files found', 'pt-BR': 'Arquivos encontrados' },
  enqueued: { en: 'New jobs', 'pt-BR': 'Novos trabalhos' },
  alreadyActive: { en: 'Already at work', 'pt-BR': 'Já em andamento' },
  ignored: { en: 'Ignored', 'pt-BR': 'Ignorados' },
  errors: { en: 'Errors', 'pt-BR': 'Erros' },
  goesOn: {
    en: 'Folders without a profile are not scanned, and a long rescan goes on in the background.',
    'pt-BR': 'Pastas sem perfil não são varridas, e uma varredura longa continua em segundo plano.',
  },
});

type Folder = Awaited<ReturnType<typeof listFolders>>[number];
type Words = ReturnType<typeof folderWords>;

// Counting stops there.
const MAX_COUNTED = 50;

const TONES = { Running: 'good', Stopped: 'bad', Unassigned: 'neutral' } as const;

export function foldersPage(visit: Visit, folders: readonly Folder[]): Promise<Answer> {
  const words = folderWords(visit.language);
  return operatorPage(visit, {
    title: words.title,
    current: 'folders',
    done: { rescanned: rescanText(visit, words) },
    body: html`<div class="list-head"><div><h1>${words.title}</h1><p class="faint">${words.hint}</p></div>
${folders.length > 0 ? rescanForm(words.rescanAll, 'button') : ''}</div>
<div id="folders" data-live="5">${
      folders.length > 0
        ? renderTable(columnsOf(visit, words), folders)
        : html`<p class="card">${words.none}</p>`
    }</div>`,
  });
}

const FIGURES = ['scanned', 'enqueued', 'alreadyActive', 'ignored', 'errors'] as const;

const rescanText = (visit: Visit, words: Words): string =>
  `${words.rescanned} ${FIGURES.map(
    (name) => `${words[name]}: ${formatCount(visit.language, figureIn(visit, name))}`,
  ).join(' · ')}. ${words.goesOn}`;

function rescanForm(text: string, classes: string, folder?: string): Markup {
  const label = folder === undefined ? '' : html` aria-label="${text}: ${folder}"`;
  return html`<form method="post" action="${dashboardPath('folders/rescan')}">${
    folder === undefined ? '' : html`<input type="hidden" name="folder" value="${folder}">`
  }<button class="${classes}"${label}>${text}</button></form>`;
}

const columnsOf = ({ language }: Visit, words: Words): readonly Column<Folder>[] => [
  {
    title: words.folder,
    kind: 'file',
    cell: ({ name, path }) => html`${givenText(name)}<span class="faint">${givenText(path)}</span>`,
  },
  {
    title: words.status,
    kind: 'wide',
    cell: ({ status, instance }) =>
      html`${badge(words[status], TONES[status])}${
        instance === null ? '' : html`<span class="faint">${words.instance} ${givenText(instance)}</span>`
      }`,
  },
  {
    title: words.profile,
    kind: 'text',
    cell: ({ profileName }) =>
      profileName === null
        ? ''
        : html`<a href="${dashboardPath(`profiles/${encodeURIComponent(profileName)}`)}">${givenText(profileName)}</a>`,
  },
  {
    title: words.waiting,
    kind: 'number',
    cell: ({ fileCount }) =>
      fileCount === null
        ? '—'
        : fileCount < MAX_COUNTED
          ? formatCount(language, fileCount)
          : words.orMore(formatCount(language, MAX_COUNTED)),
  },
  {
    title: words.processed,
    kind: 'number',
    cell: ({ processedCount }) => formatCount(language, processedCount),
  },
  {
    title: words.lastEnqueue,
    kind: 'text',
    cell: ({ lastEnqueueAt }) => (lastEnqueueAt ? timeOf(language, Date.parse(lastEnqueueAt)) : ''),
  },
  {
    title: words.lastError,
    kind: 'wide',
    cell: ({ lastError }) => (lastError ? recordedText(language, lastError) : ''),
  },
  {
    title: words.actions,
    kind: 'actions',
    cell: ({ name }) => rescanForm(words.rescan, 'button quiet', name),
  },
];
