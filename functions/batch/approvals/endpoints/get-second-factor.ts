import { PAGE } from '../../../../shared/http/declaration.ts';
import { viewEnrolment } from '../domain/second-factor/enrol.ts';
import { secondFactorPage } from '../pages/second-factor-page.ts';
import { jobIn, portalEndpoint } from '../portal.ts';

/** The secret is on the page until a code has confirmed it, in the session that began the enrolment. */
export const handler = portalEndpoint(
  {
    route: 'GET /approvals/second-factor',
    summary: "The approver's second factor",
    answers: { 200: PAGE },
  },
  async ({ query }, visitor) =>
    secondFactorPage({
      language: visitor.language,
      address: visitor.address,
      view: await viewEnrolment(visitor),
      jobId: jobIn(query),
    }),
);
