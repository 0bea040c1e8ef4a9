import * as z from 'zod';
import { formBody } from '../../../../shared/http/body/reader.ts';
import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { attemptCookie } from '../cloud-cookie.ts';
import { requireVerified } from '../domain/second-factor/require-verified.ts';
import { beginCloudSignature } from '../domain/signatures/cloud/begin-signature.ts';
import { requireSignable } from '../domain/signatures/sign-attempt.ts';
import { portalPath } from '../pages/portal-frame.ts';
import { providersPage } from '../pages/providers-page.ts';
import type { ShownCode } from '../pages/refusals.ts';
import { portalEndpoint, senderOf } from '../portal.ts';

const Form = z.object({ code: z.string().max(100).optional() });
const MAX_FORM_BYTES = 4_096;

// To record that the hub did not answer, and to answer.
const RESERVE_MS = 5_000;

const backToJob = (id: string, problem: ShownCode) =>
  redirect(portalPath(`jobs/${encodeURIComponent(id)}?problem=${problem}`), { status: 303 });

/** A plain form of the job's page. Its answer leads to the provider of the approver's certificate. */
export const handler = portalEndpoint(
  {
    route: 'POST /approvals/jobs/{id}/cloud-signature',
    summary: 'Begin to sign with a cloud certificate',
    body: formBody(Form),
    maxBodyBytes: () => MAX_FORM_BYTES,
    answers: { 200: PAGE, 303: REDIRECT },
    refuses: ['job.not-found', 'approval.not-pending', 'approval.already-decided', 'route.not-found'],
  },
  async (input, visitor) => {
    const { id = '' } = input.params;
    const { code } = input.body;
    const { cookie, language, ...session } = visitor;
    // First: a code is not used up for a file that cannot be signed.
    await requireSignable(id, session.address, Date.now());
    const factor = await requireVerified({ cookie, session, code }, Date.now());
    if (factor !== 'verified') return backToJob(id, factor);
    const decision = {
      ...{ jobId: id, email: session.address, method: session.method },
      ...senderOf(input),
    };
    const begun = await beginCloudSignature(decision, {
      atMs: input.deadlineAtMs - RESERVE_MS,
      now: Date.now,
    });
    if (begun.outcome !== 'begun') return backToJob(id, begun.outcome);
    const { attemptId, providers } = begun;
    const page = await providersPage({ language, address: session.address, jobId: id, providers });
    return { ...page, cookies: [...page.cookies, attemptCookie(attemptId)] };
  },
);
