import { cutRows } from '../../../../shared/archive/workbook.ts';
import { settings } from '../../settings.ts';
import { jobsAsOf } from './job/as-of.ts';
import { type Job, renderJob } from './job/job.ts';
import type { JobState } from './job/states.ts';
import { type SortedFilter, walkJobs } from './list-jobs.ts';

type RenderedJob = ReturnType<typeof renderJob>;

/** The fields of a job in their order, with the title and the width of their columns. */
const COLUMNS: readonly (readonly [field: keyof RenderedJob, title: string, width: number])[] = [
  ['id', 'Id', 38],
  ['fileName', 'File name', 40],
  ['originalPath', 'Original path', 50],
  ['format', 'Format', 10],
  ['source', 'Source', 16],
  ['status', 'Status', 18],
  ['createdAt', 'Created at (UTC)', 26],
  ['updatedAt', 'Updated at (UTC)', 26],
  ['profileName', 'Profile', 20],
  ['errorCode', 'Error code', 28],
  ['errorMessage', 'Error', 60],
  ['parentJobId', 'Retry of', 38],
];

type ExportRequest = SortedFilter & {
  /** Only these jobs. All of the filter where there are none. */
  readonly ids: readonly string[];
};

/** The first jobs of a filter as rows of text, read while they are written. A cut list says so in its last row. */
export async function exportJobs({ ids, ...filter }: ExportRequest, nowMs: number) {
  const maxRows = settings['Export:MaxRows'];
  const found = await walkJobs(filter, { limit: maxRows + 1, ids });
  const notice = `There are more jobs: this workbook has the first ${maxRows} (Export:MaxRows). Narrow the list with its filters, such as from and to.`;
  return {
    columns: COLUMNS.map(([, title, width]) => ({ title, width })),
    rows: cutRows(rowsOf(found, filter.status && [filter.status], nowMs), { maxRows, notice }),
  };
}

async function* rowsOf(
  found: AsyncIterable<Job>,
  states: readonly JobState[] | undefined,
  nowMs: number,
): AsyncGenerator<readonly string[]> {
  for await (const job of found)
    for (const rendered of jobsAsOf([job], states, nowMs).map(renderJob))
      yield COLUMNS.map(([field]) => rendered[field] ?? '');
}
