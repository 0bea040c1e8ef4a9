import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { requireVerified } from '../domain/second-factor/require-verified.ts';
import { prepareOffered, requireSignable } from '../domain/signatures/sign-attempt.ts';
import { portalEndpoint, senderOf } from '../portal.ts';
import { MAX_SIGNATURE_BODY_BYTES, PreparedSignature, SignatureRequest } from '../signature-contract.ts';

/** The first step of an approval in the browser: the page sends the certificate, and never the key. */
export const handler = portalEndpoint(
  {
    route: 'POST /approvals/jobs/{id}/signature',
    summary: "Prepare an approver's signature",
    body: jsonBody(SignatureRequest),
    maxBodyBytes: () => MAX_SIGNATURE_BODY_BYTES,
    answers: { 200: PreparedSignature },
    refuses: ['job.not-found', 'approval.not-pending', 'approval.already-decided'],
  },
  async (input, visitor) => {
    const { id = '' } = input.params;
    const { body } = input;
    const nowMs = Date.now();
    // First: a code is not used up for a file that cannot be signed.
    await requireSignable(id, visitor.address, nowMs);
    const verified = await requireVerified(
      { cookie: visitor.cookie, session: visitor, code: body.code },
      nowMs,
    );
    if (verified !== 'verified') return { outcome: verified };
    const { address: email, method } = visitor;
    const { attemptId, result } = await prepareOffered(
      'browser',
      { jobId: id, email, method, ...senderOf(input) },
      body.certificate,
      nowMs,
    );
    if (result.outcome === 'refused') return result;
    return {
      outcome: result.outcome,
      attemptId,
      toSignData: result.toSign.toString('base64'),
      toSignHash: result.hash.toString('base64'),
      digestAlgorithm: 'SHA256' as const,
    };
  },
);
