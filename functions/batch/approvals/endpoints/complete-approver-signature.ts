import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { errors } from '../../errors.ts';
import { tallyOf } from '../../jobs/domain/job/approval.ts';
import { requireStillVerified } from '../domain/second-factor/require-verified.ts';
import { requireAttempt } from '../domain/signatures/attempt.ts';
import { completeAttempt } from '../domain/signatures/sign-attempt.ts';
import { portalEndpoint } from '../portal.ts';
import { CompletedSignature, MAX_SIGNATURE_BODY_BYTES, SignatureValue } from '../signature-contract.ts';

/** The second step: the signature is checked, and records the approval. */
export const handler = portalEndpoint(
  {
    route: 'POST /approvals/signatures/{attemptId}',
    summary: "Complete an approver's signature",
    body: jsonBody(SignatureValue),
    maxBodyBytes: () => MAX_SIGNATURE_BODY_BYTES,
    answers: { 200: CompletedSignature },
    refuses: [
      'job.not-found',
      'approval.not-pending',
      'approval.unknown-approver',
      'approval.job-incomplete',
    ],
  },
  async ({ params, body }, visitor) => {
    const nowMs = Date.now();
    const attempt = await requireAttempt(params.attemptId ?? '', visitor.address, nowMs);
    if (attempt.means !== 'browser') throw errors.refuse('job.not-found');
    const verified = await requireStillVerified({ cookie: visitor.cookie, session: visitor }, nowMs);
    if (verified !== 'verified') return { outcome: verified };
    const completed = await completeAttempt(attempt, Buffer.from(body.signature, 'base64'), nowMs);
    if (completed.outcome === 'refused') return completed;
    const { approved, required } = tallyOf(completed.approval);
    return { outcome: 'signed' as const, released: completed.job.state === 'Queued', approved, required };
  },
);
