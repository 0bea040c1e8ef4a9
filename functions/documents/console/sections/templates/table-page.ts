import { html } from 'hono/html';
import type { Refusal } from '../../../../../shared/errors/errors.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { formatCount } from '../../../../../shared/ui/numbers.ts';
import type { Markup } from '../../../../../shared/ui/page.ts';
import { confirmed, factList, givenText, selectField } from '../../../../../shared/ui/parts.ts';
import { type Column, renderTable } from '../../../../../shared/ui/table.ts';
import { isTable } from '../../../domain/drafts/change-draft.ts';
import type { Draft } from '../../../domain/drafts/draft.ts';
import type { Row } from '../../../domain/templates/generation/read-table.ts';
import type { TablePreview } from '../../../domain/templates/use-in-draft.ts';
import { besidePath, consolePath, draftPath } from '../../pages/frame.ts';
import { memberPage } from '../../pages/member-page.ts';
import { reasonMarkup, reasonOf, refusalText } from '../../pages/refusals.ts';
import type { Visit } from '../../visit.ts';
import { type UploadWays, uploadForm } from '../send/upload-form.ts';
import { tableWords } from './table-words.ts';

type TableView = {
  readonly names: readonly string[];
  readonly preview: TablePreview | undefined;
  readonly ways: UploadWays;
  readonly folders: readonly { readonly id: string; readonly name: string }[];
  /** What is wrong with a file, or with all of it. */
  readonly refused?: Refusal | undefined;
};

/** The page that takes a table of people: its two files, the first lines, and the button that begins. */
export function tablePage(visit: Visit, draft: Stored<Draft>, view: TableView): Promise<Answer> {
  const { language } = visit;
  const words = tableWords(language);
  const { names, preview, ways, refused } = view;
  const [table, form] = [draft.files.find(isTable), draft.files.find((file) => !isTable(file))];
  const path = draftPath(draft);
  const title = words.title(draft.template?.name ?? '');
  return memberPage(visit, {
    title,
    current: 'templates',
    status: refused?.status ?? 200,
    address: consolePath(path),
    styles: ['documents-send.css'],
    scripts: ['documents-send.js'],
    connectsTo: ways.storeOrigin ? [ways.storeOrigin] : [],
    body: html`<h1>${givenText(title)}</h1>
<p class="faint">${words.needs}</p>
${refused ? refusedBox(visit, refused) : ''}
${factList([
  [words.columnsNeeded, names.length === 0 ? words.noColumns : givenText(names.join(', '))],
  [words.table, table ? givenText(table.name) : words.notYet],
  [words.form, form ? givenText(form.name) : words.notYet],
])}
${names.length === 0 ? '' : html`<p><a href="${besidePath(`contents/templates/${draft.template?.id}/sheet`)}" download>${words.sheet}</a></p>`}
${uploadForm(visit, draft.id, ways, consolePath('templates/drafts'))}
${preview ? previewPart(visit, draft, preview, view.folders) : ''}
${confirmed({
  id: 'delete-draft',
  summary: words.throwAway,
  explanation: words.throwAwayExplained,
  button: words.throwAway,
  action: consolePath(`${path}/delete`),
})}`,
  });
}

const refusedBox = ({ language }: Visit, refused: Refusal): Markup =>
  html`<div class="problem" role="alert"><p>${refusalText(refused, language)}</p>${refused.details?.reason ? html`<p>${reasonMarkup(reasonOf(refused, language))}</p>` : ''}</div>`;

function previewPart(
  { language }: Visit,
  draft: Stored<Draft>,
  preview: TablePreview,
  folders: TableView['folders'],
): Markup {
  const words = tableWords(language);
  const { columns, ignored, missing, rows, count, broken } = preview;
  const shown: readonly Column<Row>[] = [
    { title: words.line, kind: 'number', cell: ({ line }) => String(line) },
    ...columns.map(
      (name): Column<Row> => ({
        title: name,
        kind: 'text',
        cell: (row) => ('values' in row ? givenText(row.values[name] ?? '') : words.notALine),
      }),
    ),
  ];
  return html`<section class="card stack" aria-labelledby="preview-title" id="preview">
<h2 id="preview-title">${words.preview}</h2>
${missing.length === 0 ? '' : html`<div class="problem" role="alert"><p>${words.missing(missing.join(', '))}</p></div>`}
<p>${words.lines(formatCount(language, count))} ${broken === 0 ? '' : words.broken(formatCount(language, broken))}</p>
${ignored.length === 0 ? '' : html`<p class="warning">${words.ignored(ignored.join(', '))}</p>`}
<div class="table-scroll" tabindex="0" role="region" aria-label="${words.table}">${renderTable(shown, rows)}</div>
${
  missing.length > 0
    ? ''
    : html`<form class="stack" method="post" action="${consolePath(`${draftPath(draft)}/start`)}">
<input type="hidden" name="version" value="${draft.version}">
${selectField({ id: 'folderId', label: words.folder, choices: [{ value: '', text: words.noFolder }, ...folders.map(({ id, name }) => ({ value: id, text: name }))] })}
<p><button class="button">${words.start(count, formatCount(language, count))}</button></p>
</form>`
}
</section>`;
}
