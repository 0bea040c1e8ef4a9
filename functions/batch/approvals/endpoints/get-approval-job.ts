import { PAGE } from '../../../../shared/http/declaration.ts';
import { portalEndpoint } from '../portal.ts';
import { showJob } from '../show-job.ts';

/** Any id that is not of a job of the visitor, malformed, unknown or somebody else's, is answered in the same way. */
export const handler = portalEndpoint(
  {
    route: 'GET /approvals/jobs/{id}',
    summary: 'A job that an approver may decide on',
    answers: { 200: PAGE },
    refuses: ['job.not-found'],
  },
  ({ params, query }, visitor) => showJob(visitor, { id: params.id ?? '', query }, Date.now()),
);
