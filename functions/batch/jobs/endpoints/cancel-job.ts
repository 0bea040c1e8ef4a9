import { optionalJsonBody } from '../../../../shared/http/body/reader.ts';
import { NoQuery } from '../../../../shared/http/list-query.ts';
import { batch } from '../../service.ts';
import { CancelJob, Job, JobParams } from '../contract.ts';
import { cancelJob } from '../domain/cancel-job.ts';
import { renderJob } from '../domain/job/job.ts';

export const handler = batch.endpoint(
  {
    route: 'POST /api/jobs/{id}/cancel',
    summary: 'Cancel a job',
    description:
      'Only a job that no worker has: Queued, AwaitingSigner or AwaitingApproval. The input stays, and its name is free.',
    tag: 'jobs',
    params: JobParams,
    query: NoQuery,
    body: optionalJsonBody(CancelJob),
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
  async ({ params, body, caller }) =>
    renderJob(await cancelJob(caller, { id: params.id, reason: body.reason }, Date.now())),
);
