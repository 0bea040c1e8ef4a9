import { NoQuery } from '../../../shared/http/request/list-query.ts';
import { CompactJobDetails, JobParams } from '../contract.ts';
import { readCompactJob } from '../domain/read-job.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'GET /api/jobs/{jobId}',
    summary: 'Read a job with its events',
    description: 'The events are in the order of their times.',
    tag: 'jobs',
    params: JobParams,
    query: NoQuery,
    answers: { 200: CompactJobDetails },
    refuses: ['job.not-found', 'auth.misconfigured'],
    rate: 'All',
  },
  async ({ params }) => readCompactJob(params.jobId, Date.now()),
);
