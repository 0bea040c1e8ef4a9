import { formBody } from '../../../../shared/http/body/reader.ts';
import { FORM_AGAIN, REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { PortalDecisionForm } from '../contract.ts';
import { decideInPortal } from '../domain/decide-in-portal.ts';
import { requireVisibleJob } from '../domain/visible-job.ts';
import { portalPath, secondFactorPath } from '../pages/portal-frame.ts';
import { portalEndpoint, senderOf } from '../portal.ts';
import { showJob } from '../show-job.ts';

// A reason, a code and a word, each character of up to 12 bytes.
const MAX_FORM_BYTES = 65_536;

/** A form that is not accepted is shown again, with the problem at its place and the reason that was typed. */
export const handler = portalEndpoint(
  {
    route: 'POST /approvals/jobs/{id}/decision',
    summary: 'Approve or reject a job in the portal',
    body: formBody(PortalDecisionForm),
    maxBodyBytes: () => MAX_FORM_BYTES,
    answers: { 303: REDIRECT, ...FORM_AGAIN },
    refuses: ['job.not-found'],
  },
  async (input, visitor) => {
    const { params, body: form } = input;
    const nowMs = Date.now();
    const { id } = await requireVisibleJob(params.id ?? '', visitor.address);
    const sender = {
      session: visitor,
      cookie: visitor.cookie,
      ...senderOf(input),
    };
    const result = await decideInPortal(sender, { jobId: id, ...form }, nowMs);
    if (result.outcome === 'not-enrolled') return redirect(secondFactorPath(id), { status: 303 });
    if (result.outcome === 'recorded')
      return redirect(portalPath(`jobs/${id}?recorded=${result.verdict}`), { status: 303 });
    return showJob(visitor, { id, problem: result.problem, typedReason: form.reason }, nowMs);
  },
);
