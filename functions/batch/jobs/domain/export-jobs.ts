import { settings } from '../../settings.ts';
import { type Job, renderJob } from './job/job.ts';
import { type JobFilter, walkJobs } from './list-jobs.ts';

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

type ExportRequest = JobFilter & {
  /** Only these jobs. All of the filter where there are none. */
  readonly ids: readonly string[];
};

/** The newest jobs of a filter as rows of text, read while they are written. */
export async function exportJobs({ ids, ...filter }: ExportRequest) {
  const found = await walkJobs(filter, { limit: settings['Export:MaxRows'], ids });
  return {
    columns: COLUMNS.map(([, title, width]) => ({ title, width })),
    rows: rowsOf(found),
  };
}

async function* rowsOf(found: AsyncIterable<Job>): AsyncGenerator<readonly string[]> {
  for await (const job of found) {
    const rendered = renderJob(job);
    yield COLUMNS.map(([field]) => rendered[field] ?? '');
  }
}
