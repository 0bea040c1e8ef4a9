import type { Caller } from '../../../../../shared/access/caller.ts';
import { isoDate } from '../../calendar.ts';
import { documentItems } from '../../document/document.ts';
import { shownId } from '../../guids.ts';
import { findOrganization, homeOrganizationOf } from '../../places/organization.ts';
import {
  documentIdOfRow,
  type Generation,
  generationErrors,
  newestGenerations,
  type Patterns,
  requireGeneration,
} from './generation.ts';
import { columnsIn } from './patterns.ts';
import { MAX_ROWS } from './read-table.ts';

/** A generation as the operations answer it. */
export const renderGeneration = (generation: Generation) => ({
  id: generation.id,
  status: generation.state,
  type: null,
  folderId: generation.folderId,
  subscriptionId: generation.organizationId,
  agentId: shownId('application', generation.application),
  totalDocumentsCount: generation.lines,
  initializedCount: generation.created + generation.failed,
  completedCount: generation.created,
  failedCount: generation.failed,
  filledFields: [...generation.fields],
  ignoredColumns: [...generation.ignoredColumns],
  creationDate: isoDate(generation.createdAtMs),
  updateDate: isoDate(generation.updatedAtMs),
});

type ListRequest = { readonly limit: number; readonly organizationId?: string | undefined };

/** The newest generations of an organization, newest first. */
export async function listGenerations(caller: Caller, { limit, organizationId }: ListRequest) {
  const { id } = await findOrganization(caller, organizationId ?? homeOrganizationOf(caller));
  return { items: (await newestGenerations(id, limit)).map(renderGeneration) };
}

/** The page is counted from 0. */
type Page = { readonly limit: number; readonly offset: number };

function numbersOf({ limit, offset }: Page, total: number): number[] {
  const before = limit * offset;
  return Array.from({ length: Math.max(0, Math.min(limit, total - before)) }, (_, n) => before + 1 + n);
}

/** The refused lines so far, in their order. Every page costs the same. */
export async function listGenerationErrors(caller: Caller, id: string, page: Page) {
  const generation = await requireGeneration(caller, id);
  const { failed } = generation;
  const found = await readErrors(generation, page);
  const items = found.map(({ line, code, message, details }) => ({ line, code, message, details }));
  return { items, totalCount: failed };
}

const readErrors = ({ id: generationId, failed }: Pick<Generation, 'id' | 'failed'>, page: Page) =>
  generationErrors.getMany(numbersOf(page, failed).map((number) => ({ generationId, number })));

/** The refused lines for the person who has the file: up to so many, each with the columns that are wrong. */
export async function explainErrors(generation: Generation, limit: number = MAX_ROWS) {
  const found = await readErrors(generation, { limit, offset: 0 });
  return found.map(({ line, code, message, details, said }) => ({
    ...{ line, code, message, details, said },
    columns: columnsAt(generation.patterns, details?.field ?? ''),
  }));
}

/** The columns that the field of a request was filled with; the field itself where there is none. */
function columnsAt(patterns: Patterns, field: string): string {
  const value = field
    .split('.')
    .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], patterns);
  return columnsIn(value).join(', ') || field;
}

/** What became of the rows so far: the document of each. One that was refused, or is deleted since, has none. */
export async function listGeneratedDocuments(caller: Caller, id: string, page: Page) {
  const generation = await requireGeneration(caller, id);
  const rows = numbersOf(page, generation.line).map((row) => ({ row, id: documentIdOfRow(generation, row) }));
  const found = await documentItems.getMany(rows.map((row) => row.id));
  const made = new Set(found.map((document) => document.id));
  const items = rows.map((row) => ({ row: row.row, documentId: made.has(row.id) ? row.id : null }));
  return { items, totalCount: generation.line };
}
