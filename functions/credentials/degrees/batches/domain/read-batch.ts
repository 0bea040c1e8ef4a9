import type { Caller } from '../../../../../shared/access/caller.ts';
import { items } from '../../../items/domain/item.ts';
import { batches, batchList, type DegreeBatch, degreeIdOf, lineErrors, requireBatch } from './batch.ts';

type Page = { readonly page: number; readonly pageSize: number };
type PageOf<T> = Page & { readonly items: readonly T[]; readonly totalCount: number };

/** A batch as the operations answer it. */
export const renderBatch = (batch: DegreeBatch) => ({
  id: batch.id,
  subscriptionId: batch.organizationId,
  status: batch.state,
  lines: batch.lines,
  processed: batch.created + batch.failed,
  created: batch.created,
  failed: batch.failed,
  sha256: batch.sha256,
  creationDate: new Date(batch.createdAtMs).toISOString(),
  updateDate: new Date(batch.updatedAtMs).toISOString(),
});

type ListRequest = Page & {
  readonly status?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
};

/** A page of the batches of an organization, newest first. */
export async function listBatches(
  organizationId: string,
  { page, pageSize, status, from, to }: ListRequest,
): Promise<PageOf<DegreeBatch>> {
  const list = batchList(organizationId, status);
  const { ids, total } = await list.page({ page, pageSize, fromMs: from, untilMs: to });
  const found = await batches.getMany(ids);
  // One that has moved on since its entry was read is not of that status any more.
  const shown = status === undefined ? found : found.filter(({ state }) => state === status);
  return { items: shown, page, pageSize, totalCount: total };
}

/** The numbers of a page, of so many in all. */
function numbersOf({ page, pageSize }: Page, total: number): number[] {
  const before = (page - 1) * pageSize;
  return Array.from({ length: Math.max(0, Math.min(pageSize, total - before)) }, (_, n) => before + 1 + n);
}

/** The errors of a batch as the operations answer them. */
export async function listErrors(caller: Caller, id: string, request: Page) {
  const { items: found, ...page } = await readErrors(caller, id, request);
  const rendered = found.map(({ line, code, message, details }) => ({ line, code, message, details }));
  return { items: rendered, ...page };
}

/** The errors of a batch so far, in the order of their lines. Every page costs the same. */
export async function readErrors(caller: Caller, id: string, { page, pageSize }: Page) {
  const { failed } = await requireBatch(caller, id);
  const numbers = numbersOf({ page, pageSize }, failed);
  const found = await lineErrors.getMany(numbers.map((number) => ({ batchId: id, number })));
  return { items: found, page, pageSize, totalCount: failed };
}

/** What became of the lines so far: the degree of each. A line that is blank or failed has none. */
export async function listLines(caller: Caller, id: string, { page, pageSize }: Page) {
  const { line: total } = await requireBatch(caller, id);
  const lines = numbersOf({ page, pageSize }, total).map((line) => ({ line, id: degreeIdOf(id, line) }));
  const found = await items.getMany(lines.map((line) => ({ kind: 'degree' as const, id: line.id })));
  const created = new Set(found.map((degree) => degree.id));
  const rendered = lines.map((line) => ({
    line: line.line,
    degreeId: created.has(line.id) ? line.id : null,
  }));
  return { items: rendered, page, pageSize, totalCount: total };
}
