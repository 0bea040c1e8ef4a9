import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { json } from '../../../../shared/http/response/answer.ts';
import { batch } from '../../service.ts';
import { RetriedJob } from '../contract/actions.ts';
import { JobParams } from '../contract/job.ts';
import { RETRY_REFUSALS } from '../domain/refusals.ts';
import { retryJob } from '../domain/retry-job.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/jobs/{id}/retry',
    summary: 'Retry a failed job',
    description:
      'A new job signs the same input. The failed job stays failed, and the new one names it. A canceled job is retried too where it signs a document of the external service; the new one reads that document again.',
    tag: 'jobs',
    params: JobParams,
    query: NoQuery,
    answers: { 202: RetriedJob },
    refuses: RETRY_REFUSALS,
    rate: 'Actions',
  },
  async ({ params }) => {
    const { id: newJobId, parentJobId, state } = await retryJob(params.id, Date.now());
    return json({ newJobId, parentJobId, status: state }, { status: 202 });
  },
);
