import { CompactJobList, JobListQuery } from '../contract.ts';
import { listCompactJobs } from '../domain/list-jobs.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'GET /api/jobs',
    summary: 'List jobs',
    description:
      'Newest first, those of the full surface too. `total` is exact. Filters by status and time use an index; any other searches the jobs of the time range, 100,000 at most.',
    tag: 'jobs',
    query: JobListQuery,
    answers: { 200: CompactJobList },
    refuses: ['auth.misconfigured'],
    rate: 'All',
  },
  async ({ query: { createdFromUtc: fromMs, createdToUtc: untilMs, ...request } }) =>
    listCompactJobs({ ...request, fromMs, untilMs }, Date.now()),
);
