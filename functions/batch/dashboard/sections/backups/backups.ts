import { html } from 'hono/html';
import { type Answer, redirect } from '../../../../../shared/http/response/answer.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { translations } from '../../../../../shared/ui/translations.ts';
import { formatCount, timeOf } from '../../../config/page-format.ts';
import { cancelBackup } from '../../../installation/backup/domain/end-backup.ts';
import { listBackups } from '../../../installation/backup/domain/list-backups.ts';
import { startBackup } from '../../../installation/backup/domain/start-backup.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { operatorPage } from '../../pages/operator-page.ts';
import { badge, confirmed, factList } from '../../pages/parts.ts';
import type { Section, Visit } from '../../visit.ts';

type Backups = Awaited<ReturnType<typeof listBackups>>;
type ListedBackup = Backups['items'][number];

const backupWords = translations({
  title: { en: 'Backups', 'pt-BR': 'Backups' },
  hint: {
    en: (count: number, target: string) => `The newest ${count} are kept, in ${target}.`,
    'pt-BR': (count: number, target: string) => `Os ${count} mais recentes são mantidos. Destino: ${target}.`,
  },
  bucket: { en: 'the bucket of the service', 'pt-BR': 'bucket do serviço' },
  disabled: {
    en: 'Backups are switched off. Set Backup:Enabled to true in every instance that shares the store.',
    'pt-BR':
      'Os backups estão desligados. Defina Backup:Enabled como true em todas as instâncias que compartilham o armazenamento.',
  },
  start: { en: 'Start a backup', 'pt-BR': 'Iniciar um backup' },
  cancel: { en: 'Cancel…', 'pt-BR': 'Cancelar…' },
  cancelMeans: {
    en: 'What was stored so far is deleted. The next backup begins anew.',
    'pt-BR': 'O que já foi gravado é excluído. O próximo backup começa do zero.',
  },
  cancelNow: { en: 'Cancel the backup', 'pt-BR': 'Cancelar o backup' },
  running: { en: 'A backup is running', 'pt-BR': 'Um backup está em andamento' },
  id: { en: 'Backup', 'pt-BR': 'Backup' },
  state: { en: 'State', 'pt-BR': 'Estado' },
  Running: { en: 'Running', 'pt-BR': 'Em andamento' },
  Succeeded: { en: 'Succeeded', 'pt-BR': 'Concluído' },
  Failed: { en: 'Failed', 'pt-BR': 'Falhou' },
  Canceled: { en: 'Canceled', 'pt-BR': 'Cancelado' },
  phase: { en: 'At', 'pt-BR': 'Etapa' },
  Exporting: { en: 'the store exports the table', 'pt-BR': 'o armazenamento exporta a tabela' },
  Storing: { en: 'storing the export', 'pt-BR': 'gravando a exportação' },
  ListingFiles: { en: 'listing the files', 'pt-BR': 'listando os arquivos' },
  started: { en: 'Started', 'pt-BR': 'Início' },
  cut: { en: 'State of', 'pt-BR': 'Estado de' },
  items: { en: 'Items', 'pt-BR': 'Itens' },
  bytes: { en: 'Bytes', 'pt-BR': 'Bytes' },
  by: { en: 'By', 'pt-BR': 'Por' },
  schedule: { en: 'the schedule', 'pt-BR': 'a programação' },
  message: { en: 'Message', 'pt-BR': 'Mensagem' },
  none: { en: 'There is no backup yet.', 'pt-BR': 'Ainda não há backup.' },
  restore: {
    en: 'A backup is verified and restored at the command line: npm run admin -- backup.',
    'pt-BR': 'Um backup é verificado e restaurado na linha de comando: npm run admin -- backup.',
  },
  doneStarted: { en: 'The backup was started.', 'pt-BR': 'O backup foi iniciado.' },
  doneCanceled: { en: 'The backup was canceled.', 'pt-BR': 'O backup foi cancelado.' },
});

type Words = ReturnType<typeof backupWords>;

const TONES = { Running: 'neutral', Succeeded: 'good', Failed: 'bad', Canceled: 'neutral' } as const;

function backupsPage(visit: Visit, backups: Backups): Promise<Answer> {
  const words = backupWords(visit.language);
  const target = backups.target === 'bucket' ? words.bucket : backups.target;
  return operatorPage(visit, {
    title: words.title,
    current: 'backups',
    done: { started: words.doneStarted, canceled: words.doneCanceled },
    body: html`<div class="list-head"><div><h1>${words.title}</h1>
<p class="faint">${words.hint(backups.retainCount, target)} ${words.restore}</p></div></div>
<div class="stack" id="backups" data-live="3">
${present(visit, backups, words)}
${
  backups.items.length === 0
    ? html`<p class="card">${words.none}</p>`
    : renderTable(columnsOf(visit, words), backups.items)
}
</div>`,
  });
}

/** The backup that runs, or the form that starts one. */
function present({ language }: Visit, { enabled, running }: Backups, words: Words): Markup {
  if (!enabled) return html`<p class="note">${words.disabled}</p>`;
  if (!running)
    return html`<form method="post" action="${dashboardPath('backups/start')}"><button class="button">${words.start}</button></form>`;
  return html`<section class="card stack" aria-labelledby="running"><h2 id="running">${words.running}</h2>
${factList([
  [words.id, running.backupId],
  [words.phase, running.phase === null ? '' : words[running.phase]],
  [words.started, timeOf(language, Date.parse(running.startedAt))],
  [words.items, formatCount(language, running.items)],
  [words.bytes, formatCount(language, running.bytes)],
])}
<div class="actions">${confirmed({
    summary: words.cancel,
    explanation: words.cancelMeans,
    button: words.cancelNow,
    action: dashboardPath('backups/cancel'),
  })}</div>
</section>`;
}

const columnsOf = ({ language }: Visit, words: Words): readonly Column<ListedBackup>[] => [
  { title: words.id, kind: 'file', cell: ({ backupId }) => backupId },
  { title: words.state, kind: 'text', cell: ({ state }) => badge(words[state], TONES[state]) },
  { title: words.started, kind: 'text', cell: ({ startedAt }) => timeOf(language, Date.parse(startedAt)) },
  {
    title: words.cut,
    kind: 'text',
    cell: ({ cutAt }) => (cutAt === null ? '' : timeOf(language, Date.parse(cutAt))),
  },
  { title: words.items, kind: 'number', cell: ({ items }) => formatCount(language, items) },
  { title: words.bytes, kind: 'number', cell: ({ bytes }) => formatCount(language, bytes) },
  { title: words.by, kind: 'text', cell: ({ by }) => html`<bdi>${by ?? words.schedule}</bdi>` },
  {
    title: words.message,
    kind: 'wide',
    cell: ({ message }) => (message === null ? '' : html`<bdi>${message}</bdi>`),
  },
];

const donePath = (done: 'started' | 'canceled') => dashboardPath(`backups?done=${done}`);

/** The backups: start, cancel, progress. */
export const backups: Section = {
  pages: { backups: async (visit) => backupsPage(visit, await listBackups()) },
  forms: {
    'backups/start': async ({ operator, nowMs }) => {
      await startBackup(operator.application, nowMs);
      return redirect(donePath('started'), { status: 303 });
    },
    'backups/cancel': async ({ operator, nowMs }) => {
      await cancelBackup(operator.application, nowMs);
      return redirect(donePath('canceled'), { status: 303 });
    },
  },
};
