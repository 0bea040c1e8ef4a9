import { type Input, REDIRECT } from '../../../../shared/http/declaration.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { hubSessionIn } from '../../../../shared/hub/cloud.ts';
import { logger } from '../../../../shared/log/logger.ts';
import { batch } from '../../service.ts';
import { attemptIn } from '../cloud-cookie.ts';
import { requireStillVerified } from '../domain/second-factor/require-verified.ts';
import { finishCloudSignature } from '../domain/signatures/cloud/finish-signature.ts';
import { portalPath } from '../pages/portal-frame.ts';
import type { ShownCode } from '../pages/refusals.ts';
import { findApprover } from '../portal.ts';

// To record the signature once the hub has given it, and to answer.
const RESERVE_MS = 5_000;

/**
 * Where the hub sends a holder back to. Whatever happens, the function answers a redirect; the framework alone answers
 * otherwise, before the function runs: 429 over the rate, 503 where the store does not count it.
 */
export const handler = batch.endpoint(
  {
    route: 'GET /approvals/cloud/return',
    summary: 'Where a hub sends approvers back',
    answers: { 303: REDIRECT },
    access: 'public',
    rate: 'Approval',
    streams: true,
    undocumented: true,
  },
  async (input) => {
    // The address has the hub's session, which signs.
    const headers = { 'referrer-policy': 'no-referrer' };
    return redirect(await destinationOf(input), { status: 303, headers });
  },
);

type ReturnInput = Input<undefined, undefined, undefined>;

async function destinationOf(input: ReturnInput): Promise<string> {
  try {
    const visitor = await findApprover(input, Date.now());
    if (!visitor) return portalPath();
    const request = {
      address: visitor.address,
      session: hubSessionIn(input.query),
      begunId: attemptIn(input.cookies),
      verify: () => requireStillVerified({ cookie: visitor.cookie, session: visitor }, Date.now()),
    };
    const deadline = { atMs: input.deadlineAtMs - RESERVE_MS, now: Date.now };
    const { jobId, problem } = await finishCloudSignature(request, deadline);
    if (jobId === null) return withProblem('', problem ?? 'unexpected');
    const job = `jobs/${encodeURIComponent(jobId)}`;
    return problem === null ? portalPath(`${job}?recorded=approved`) : withProblem(job, problem);
  } catch (error) {
    const { correlationId } = input;
    logger('batch').error('A return from the hub failed.', { correlationId, error });
    return withProblem('', 'unexpected');
  }
}

const withProblem = (path: string, problem: ShownCode): string => `${portalPath(path)}?problem=${problem}`;
