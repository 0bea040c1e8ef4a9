import * as z from 'zod';
import { optionalJsonBody } from '../../../../shared/http/body/reader.ts';
import { failAttempt } from '../domain/signatures/attempt.ts';
import { portalEndpoint } from '../portal.ts';
import { EndedSignature, MAX_SIGNATURE_BODY_BYTES } from '../signature-contract.ts';

/** The page tells that it could not sign. It sends this as the person may leave, and waits for no answer. */
export const handler = portalEndpoint(
  {
    route: 'POST /approvals/signatures/{attemptId}/failure',
    summary: "Report that an approver's signature failed",
    body: optionalJsonBody(z.object({})),
    maxBodyBytes: () => MAX_SIGNATURE_BODY_BYTES,
    answers: { 200: EndedSignature },
    refuses: ['job.not-found'],
  },
  async ({ params }, { address }) => {
    await failAttempt(params.attemptId ?? '', address);
    return { outcome: 'ended' as const };
  },
);
