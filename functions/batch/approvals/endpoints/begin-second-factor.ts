import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { beginEnrolment } from '../domain/second-factor/enrol.ts';
import { secondFactorPath } from '../pages/portal-frame.ts';
import { jobIn, portalEndpoint } from '../portal.ts';

/** Makes a secret, or another one in its place. A confirmed one stays, and the page says so. */
export const handler = portalEndpoint(
  {
    route: 'POST /approvals/second-factor/enrolment',
    summary: 'Begin to set up a second factor',
    answers: { 303: REDIRECT },
  },
  async ({ query }, visitor) => {
    await beginEnrolment(visitor);
    return redirect(secondFactorPath(jobIn(query)), { status: 303 });
  },
);
