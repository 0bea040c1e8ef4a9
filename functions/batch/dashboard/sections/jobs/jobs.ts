import { Refusal } from '../../../../../shared/errors/errors.ts';
import { redirect } from '../../../../../shared/http/response/answer.ts';
import { basePath } from '../../../auth/domain/return-path.ts';
import { errors } from '../../../errors.ts';
import { cancelJob } from '../../../jobs/domain/cancel-job.ts';
import { deleteJob } from '../../../jobs/domain/delete-job.ts';
import { jobAsOf, jobsAsOf } from '../../../jobs/domain/job/as-of.ts';
import { isJobId, requireJob } from '../../../jobs/domain/job/job.ts';
import { type JobPage, listJobs, readSelected } from '../../../jobs/domain/list-jobs.ts';
import { divideByOutput, findOutput } from '../../../jobs/domain/open-outputs.ts';
import { retryJob } from '../../../jobs/domain/retry-job.ts';
import { listProfiles } from '../../../profiles/domain/profile.ts';
import { dashboardPath } from '../../pages/frame.ts';
import type { Section, Visit } from '../../visit.ts';
import { bulkForms, bulkPages } from './bulk.ts';
import { type Filters, readFilters, withRefusal } from './filters.ts';
import { type ActionProblem, problemOf } from './job-actions.ts';
import { jobPage } from './job-page.ts';
import { jobWords } from './job-words.ts';
import { jobPath, listPage, PAGE_SIZE } from './list-page.ts';
import type { Selection } from './selection.ts';

/** The list of jobs, one job, and what an operator can do with it. */
export const jobs: Section = {
  pages: {
    jobs: (visit) => showList(visit),
    ...bulkPages,
    'jobs/{id}': (visit, { id = '' }) => showJob(visit, id),
    'jobs/selected/files': (visit) =>
      downloadSelected(visit, async (ids) => {
        const { withFile, withoutFile } = await divideByOutput(ids);
        const href = download(
          'archive',
          withFile.map(({ id }) => id),
        );
        return withoutFile.length === 0 ? href : { withFile, withoutFile, href };
      }),
    'jobs/selected/workbook': (visit) =>
      downloadSelected(visit, async (ids) => {
        await readSelected(ids);
        return download('export', ids);
      }),
  },
  forms: {
    ...bulkForms,
    'jobs/{id}/retry': (visit, { id = '' }) =>
      actOn(visit, id, '', async () => {
        const { id: newId } = await retryJob(id, visit.nowMs);
        return jobPath(newId, '?done=retried');
      }),
    'jobs/{id}/cancel': (visit, { id = '' }, form) => {
      // Browsers send a line break as two characters, and count it as one.
      const reason = form.text('reason').replaceAll('\r\n', '\n').trim();
      return actOn(visit, id, reason, async () => {
        await cancelJob(visit.operator, { id, reason }, visit.nowMs);
        return jobPath(id, '?done=canceled');
      });
    },
    'jobs/{id}/delete': (visit, { id = '' }) =>
      actOn(visit, id, '', async () => {
        const outcome = await deleteJob(visit.operator, id, visit.nowMs);
        if (outcome === 'deleted') return dashboardPath('jobs?done=deleted');
        return { status: 409, text: jobWords(visit.language)[outcome] };
      }),
  },
};

async function showList(visit: Visit, selection?: Selection) {
  const profiles = listProfiles();
  const filters = readFilters(visit);
  const { found, ...known } = await find(filters, visit.nowMs);
  return listPage(visit, {
    filters: known.filters,
    found,
    profiles: (await profiles).map(({ name }) => name),
    ...(selection && { selection }),
  });
}

/** Leads to a download of the selected jobs; or shows the list again, with the selection and what is wrong with it. */
async function downloadSelected(
  visit: Visit,
  find: (ids: readonly string[]) => Promise<string | Selection['files']>,
) {
  const ids = [visit.query.id ?? []].flat();
  try {
    const found = await find(requireIds(ids));
    return typeof found === 'string'
      ? redirect(found, { status: 303 })
      : showList(visit, { ids, files: found });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return showList(visit, { ids: ids.filter(isJobId), refusal: error });
  }
}

async function find(
  filters: Filters,
  nowMs: number,
): Promise<{ filters: Filters; found: JobPage | undefined }> {
  if (Object.keys(filters.problems).length > 0) return { filters, found: undefined };
  try {
    const paging = { page: filters.page, pageSize: PAGE_SIZE };
    const { items, totalCount } = await listJobs(filters.filter, paging);
    const { status } = filters.filter;
    return { filters, found: { items: jobsAsOf(items, status && [status], nowMs), totalCount } };
  } catch (error) {
    return { filters: withRefusal(filters, error), found: undefined };
  }
}

async function showJob(visit: Visit, id: string, problem?: ActionProblem) {
  const job = jobAsOf(await requireJob(id), visit.nowMs);
  return jobPage(visit, { job, output: await findOutput(job), ...(problem && { problem }) });
}

/** Does what a form says, and leads to where it answers; or shows the job again with why it was not done. */
async function actOn(
  visit: Visit,
  id: string,
  typedReason: string,
  act: () => Promise<string | ActionProblem>,
) {
  const outcome = await act().catch((error: unknown) => problemOf(visit, error, typedReason));
  return typeof outcome === 'string' ? redirect(outcome, { status: 303 }) : showJob(visit, id, outcome);
}

/** None is refused: a download without ids would be one of all jobs. */
function requireIds(ids: readonly string[]): readonly string[] {
  if (ids.length === 0) throw errors.refuse('job.archive-empty');
  if (!ids.every(isJobId)) throw errors.refuse('job.not-found');
  return ids;
}

const download = (name: 'archive' | 'export', ids: readonly string[]): string =>
  `${basePath()}/api/jobs/${name}?${new URLSearchParams(ids.map((id): [string, string] => ['id', id]))}`;
