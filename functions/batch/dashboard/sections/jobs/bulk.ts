import { Refusal } from '../../../../../shared/errors/errors.ts';
import { redirect } from '../../../../../shared/http/response/answer.ts';
import { errors } from '../../../errors.ts';
import { BULK_KINDS, type BulkKind, listBulks, requireBulk } from '../../../jobs/domain/bulk/bulk.ts';
import { previewBulk, startBulk, stopBulk } from '../../../jobs/domain/bulk/start-bulk.ts';
import { dashboardPath } from '../../pages/frame.ts';
import { queryText, type Section, type Visit } from '../../visit.ts';
import { bulkListPage, bulkPage, type PreviewProblem, previewPage } from './bulk-pages.ts';
import { FILTERS, readFilters } from './filters.ts';

/** Actions on all jobs of a list: the preview with its number, and how far each has come. */
export const bulkPages: Section['pages'] = {
  'jobs/bulk': async (visit) => bulkListPage(visit, await listBulks()),
  'jobs/bulk/new': (visit) => showPreview(visit, kindIn(queryText(visit, 'action'))),
  'jobs/bulk/{id}': async (visit, { id = '' }) => bulkPage(visit, await requireBulk(id)),
};

export const bulkForms: Section['forms'] = {
  'jobs/bulk/start': async (visit, _params, form) => {
    const kind = kindIn(form.text('action'));
    const given = { ...visit, query: Object.fromEntries(FILTERS.map((name) => [name, form.text(name)])) };
    const { filter, problems } = readFilters(given);
    if (Object.keys(problems).length > 0) return showPreview(given, kind);
    // Browsers send a line break as two characters, and count it as one.
    const reason = form.text('reason').replaceAll('\r\n', '\n').trim();
    try {
      const bulk = await startBulk(
        visit.operator,
        { kind, filter, reason, beforeMs: timeIn(form.text('before')) },
        visit.nowMs,
      );
      return redirect(bulkPath(bulk.id), { status: 303 });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return showPreview(given, kind, { refusal: error, typedReason: reason });
    }
  },
  'jobs/bulk/{id}/stop': async (visit, { id = '' }) => {
    await stopBulk(visit.operator, id, visit.nowMs);
    return redirect(`${bulkPath(id)}?done=stopped`, { status: 303 });
  },
};

const bulkPath = (id: string): string => dashboardPath(`jobs/bulk/${id}`);

/** How many jobs it would be, for somebody to confirm. A filter that is not acceptable is shown as the list shows it. */
async function showPreview(visit: Visit, kind: BulkKind, problem?: PreviewProblem) {
  const filters = readFilters(visit);
  const toList = () => redirect(dashboardPath(`jobs?${filters.query}`), { status: 303 });
  if (Object.keys(filters.problems).length > 0) return toList();
  try {
    const count = await previewBulk({ kind, filter: filters.filter }, visit.nowMs);
    return await previewPage(visit, { kind, filters, count, ...(problem && { problem }) });
  } catch (error) {
    if (error instanceof Refusal && error.code === 'validation.filter-invalid') return toList();
    throw error;
  }
}

function kindIn(text: string): BulkKind {
  const kind = BULK_KINDS.find((each) => each === text);
  if (!kind) throw errors.refuse('route.not-found');
  return kind;
}

/** When the number was shown. One that is missing or forged is now, at the latest. */
const timeIn = (text: string): number | undefined => (/^\d{13}$/.test(text) ? Number(text) : undefined);
