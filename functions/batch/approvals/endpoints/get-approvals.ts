import { NoQuery } from '../../../../shared/http/request/list-query.ts';
import { batch } from '../../service.ts';
import { ApprovalParams, ApprovalRecord } from '../contract.ts';
import { readApprovals } from '../domain/render-approval.ts';

export const handler = batch.endpoint(
  {
    route: 'GET /api/jobs/{id}/approvals',
    summary: 'Read the approvals of a job',
    description:
      'The frozen rule, the pool and the decisions. A job that never waited for approval has none.',
    tag: 'approvals',
    params: ApprovalParams,
    query: NoQuery,
    answers: { 200: ApprovalRecord },
    refuses: ['job.not-found', 'approval.not-required', 'auth.misconfigured'],
  },
  ({ params }) => readApprovals(params.id),
);
