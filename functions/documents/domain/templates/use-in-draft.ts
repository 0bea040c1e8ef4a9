import type { Stored } from '../../../../shared/store/collection.ts';
import { UseTemplateForMany } from '../../contract/templates.ts';
import { errors } from '../../errors.ts';
import type { FillOptions } from '../creating/fill-files.ts';
import { isTable } from '../drafts/change-draft.ts';
import { type Author, createDraft, type Draft, findSeenDraft, type SeenDraft } from '../drafts/draft.ts';
import { finishDraft } from '../drafts/finish-draft.ts';
import { requireReceivedUpload } from '../uploads/take-or-collect.ts';
import { type CreateOptions, matchColumns, readData } from './generation/create-generation.ts';
import { columnsIn, fillPatterns } from './generation/patterns.ts';
import { renderGeneration } from './generation/read-generation.ts';
import type { Row } from './generation/read-table.ts';
import { inspectTemplate } from './generation/template.ts';
import { findTemplate, type Template } from './template.ts';
import { draftPartsOf } from './template-draft.ts';
import { deadlineOf, generateByTemplate } from './use-template.ts';

/** Begins a draft with these people in the roles of a template. Nobody is sent anything yet. */
export async function draftByTemplate(
  author: Author,
  id: string,
  values: Readonly<Record<string, string>>,
  nowMs: number,
): Promise<Stored<Draft>> {
  const template = await findTemplate(author.caller, id);
  const filled = fillPatterns(template.content, values) as Template['content'];
  const parts = draftPartsOf(filled);
  // The pages of a draft take a row without a word for nobody.
  if (parts.people.some(({ name, email, identifier }) => name + email + identifier === ''))
    throw errors.refuse('InvalidRequest', { field: 'values', reason: 'leave a role without anybody' });
  return createDraft(author, nowMs, {
    ...parts,
    deadline: deadlineOf(template, nowMs) ?? '',
    ...(filled.documentName && { documentName: filled.documentName }),
  });
}

/** Begins a draft that gets a table of people, and the file that each of them signs. */
export async function draftTable(author: Author, id: string, nowMs: number): Promise<Stored<Draft>> {
  const { name } = await findTemplate(author.caller, id);
  return createDraft(author, nowMs, { template: { kind: 'table', id, name } });
}

const filesOf = ({ files }: Draft) => ({
  table: files.find(isTable),
  form: files.find((file) => !isTable(file)),
});

/** What is known of a table before it is used. */
export type TablePreview = {
  readonly columns: readonly string[];
  /** Whether each column is a value of the template or a field of the file; the others are ignored. */
  readonly ignored: readonly string[];
  readonly missing: readonly string[];
  readonly rows: readonly Row[];
  readonly count: number;
  /** Lines that are none, such as those with more values than columns. */
  readonly broken: number;
};

/** The names that a table needs, and what its files have. Refused where one of them cannot be used. */
export async function previewTable(author: Author, draft: Draft, options: FillOptions) {
  const { template } = draft;
  if (template?.kind !== 'table') throw errors.refuse('DraftNotReady');
  const { content } = await findTemplate(author.caller, template.id);
  const names = columnsIn(content);
  const { table, form } = filesOf(draft);
  const received = (id: string) => requireReceivedUpload(id, draft.organizationId);
  const read = table && (await readData(await received(table.id)));
  if (!read || !form) return { names, preview: undefined };
  const matched = matchColumns(
    await inspectTemplate(await received(form.id), options),
    content,
    read.columns,
  );
  const preview: TablePreview = {
    columns: read.columns,
    ignored: matched.ignoredColumns,
    missing: matched.missing,
    rows: read.rows.slice(0, SHOWN_ROWS),
    count: read.rows.length,
    broken: read.rows.filter((row) => 'problem' in row).length,
  };
  return { names, preview };
}

const SHOWN_ROWS = 5;

/** Begins to make a document of each line of the draft's table. The same generation when it is begun again. */
export const startTable = (
  author: Author,
  { folderId, ...seen }: SeenDraft & { readonly folderId: string },
  nowMs: number,
  options: CreateOptions,
): Promise<Pick<ReturnType<typeof renderGeneration>, 'id'>> =>
  finishDraft(author, seen.id, async () => {
    const draft = await findSeenDraft(author, seen, nowMs);
    const { template } = draft;
    const { table, form } = filesOf(draft);
    if (template?.kind !== 'table' || !table || !form) throw errors.refuse('DraftNotReady');
    const request = UseTemplateForMany.safeParse({
      templateFile: { id: form.id, displayName: form.title, name: form.name },
      dataFile: { id: table.id, name: table.name },
      folderId,
    });
    if (!request.success) {
      const [issue] = request.error.issues;
      const refused = { field: issue?.path.join('.') ?? '', reason: issue?.message ?? '' };
      throw errors.refuse('InvalidRequest', refused);
    }
    const { data } = request;
    return async () =>
      renderGeneration(await generateByTemplate(author.caller, template.id, data, nowMs, options));
  });
