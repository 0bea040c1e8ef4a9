import * as z from 'zod';
import { formBody } from '../../../../shared/http/body/reader.ts';
import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { confirmEnrolment, viewEnrolment } from '../domain/second-factor/enrol.ts';
import { portalPath, secondFactorPath } from '../pages/portal-frame.ts';
import { secondFactorPage } from '../pages/second-factor-page.ts';
import { jobIn, portalEndpoint } from '../portal.ts';

// A code.
const MAX_FORM_BYTES = 1_024;

/** A wrong code is answered with the page again. */
export const handler = portalEndpoint(
  {
    route: 'POST /approvals/second-factor/confirmation',
    summary: 'Confirm a second factor',
    body: formBody(z.object({ code: z.string() })),
    maxBodyBytes: () => MAX_FORM_BYTES,
    answers: { 303: REDIRECT, 400: PAGE },
  },
  async ({ body, query }, visitor) => {
    const jobId = jobIn(query);
    const outcome = await confirmEnrolment(visitor, body.code, Date.now());
    if (outcome === 'enrolled')
      return redirect(`${portalPath(jobId && `jobs/${jobId}`)}?enrolled=true`, { status: 303 });
    if (outcome === 'not-pending') return redirect(secondFactorPath(jobId), { status: 303 });
    const { language, address } = visitor;
    return secondFactorPage({
      language,
      address,
      view: await viewEnrolment(visitor),
      refusal: outcome,
      jobId,
    });
  },
);
