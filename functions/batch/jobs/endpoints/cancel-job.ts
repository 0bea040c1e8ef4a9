import { batch } from '../../service.ts';
import { CancelJob } from '../contract/actions.ts';
import { Job, JobParams } from '../contract/job.ts';
import { cancelJob } from '../domain/cancel-job.ts';
import { renderJob } from '../domain/job/job.ts';
import { ReasonQuery, reasonBody, reasonIn } from '../reason.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/jobs/{id}/cancel',
    summary: 'Cancel a job',
    description:
      'Only a job that no worker has: Queued, AwaitingSigner or AwaitingApproval. The input stays, and its name is free.',
    tag: 'jobs',
    params: JobParams,
    query: ReasonQuery,
    body: reasonBody(CancelJob),
    answers: { 200: Job },
    refuses: [
      'validation.reason-too-long',
      'job.not-found',
      'job.not-queued',
      'job.race-lost',
      'auth.misconfigured',
    ],
    rate: 'Actions',
  },
  async ({ params, body, query, caller }) =>
    renderJob(await cancelJob(caller, { id: params.id, ...reasonIn({ body, query }) }, Date.now())),
);
