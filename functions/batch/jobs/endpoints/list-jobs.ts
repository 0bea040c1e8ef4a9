import { batch } from '../../service.ts';
import { filterOf, JobList, JobListQuery } from '../contract/lists.ts';
import { jobsAsOf } from '../domain/job/as-of.ts';
import { renderJob } from '../domain/job/job.ts';
import { listJobs } from '../domain/list-jobs.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/jobs',
    summary: 'List jobs',
    description:
      'Newest first, or as `sort` says; of the jobs that match every filter. A profile that was removed is known while it has jobs. An index answers status, profile, error, from, to, failedFrom and failedTo. Source and text search the jobs of the range, 100,000 at most, and so does a profile together with an error or a time of failure.',
    tag: 'jobs',
    query: JobListQuery,
    answers: { 200: JobList },
    refuses: ['auth.misconfigured'],
  },
  async ({ query: { page, pageSize, sort, ...filters } }) => {
    const filter = filterOf(filters);
    const { items, totalCount } = await listJobs({ ...filter, sort }, { page, pageSize });
    const shown = jobsAsOf(items, filter.status && [filter.status], Date.now());
    return { items: shown.map(renderJob), page, pageSize, totalCount };
  },
);
