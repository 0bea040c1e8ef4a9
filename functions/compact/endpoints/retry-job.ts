import { NoQuery } from '../../../shared/http/request/list-query.ts';
import { json } from '../../../shared/http/response/answer.ts';
import { RETRY_REFUSALS } from '../../batch/jobs/domain/refusals.ts';
import { JobParams, RetriedJob } from '../contract.ts';
import { retryFailedJob } from '../domain/retry-job.ts';
import { compact } from '../service.ts';

export const handler = compact.endpoint(
  {
    route: 'POST /api/jobs/{jobId}/retry',
    summary: 'Retry a failed job',
    description:
      'A new job signs the same file, while its copy is in the error folder and no active job has its name. The failed job stays failed.',
    tag: 'jobs',
    params: JobParams,
    query: NoQuery,
    answers: { 202: RetriedJob },
    refuses: RETRY_REFUSALS,
    rate: 'All',
  },
  async ({ params }) => {
    const { id: jobId, parentJobId: retryOf } = await retryFailedJob(params.jobId, Date.now());
    return json({ jobId, retryOf }, { status: 202 });
  },
);
