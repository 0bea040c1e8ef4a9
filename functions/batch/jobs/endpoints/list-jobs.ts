import { batch } from '../../service.ts';
import { JobList, JobListQuery } from '../contract.ts';
import { renderJob } from '../domain/job/job.ts';
import { listJobs } from '../domain/list-jobs.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/jobs',
    summary: 'List jobs',
    description:
      'Newest first; of one status, one profile, or both. A profile that was removed is known while it has jobs.',
    tag: 'jobs',
    query: JobListQuery,
    answers: { 200: JobList },
    refuses: ['auth.misconfigured'],
  },
  async ({ query }) => {
    const { page, pageSize } = query;
    const { items, totalCount } = await listJobs(query, { page, pageSize });
    return { items: items.map(renderJob), page, pageSize, totalCount };
  },
);
