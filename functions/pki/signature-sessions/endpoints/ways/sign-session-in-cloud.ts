import * as z from 'zod';
import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { signedAnswer } from '../../../../../shared/ways/answers.ts';
import { DocumentIds, WaySigned } from '../../../../../shared/ways/contract.ts';
import { signInCloud } from '../../domain/ways/cloud.ts';
import { COMPLETE_CODES, SIGNER_CODES, START_CODES, signatureSession, tokenIn, WAY } from '../../service.ts';

// To record the signature once the hub has given it, and to answer.
const RESERVE_MS = 10_000;

/** The provider may ask the holder once more, on a telephone: it takes up to two minutes. */
export const handler = signatureSession.endpoint(
  {
    ...WAY,
    route: 'POST /api/signature-sessions/{sessionId}/signature/cloud',
    summary: 'Sign the next document with a cloud certificate',
    body: jsonBody(z.object({ documentIds: DocumentIds })),
    answers: { 200: WaySigned },
    refuses: [...SIGNER_CODES, ...START_CODES, ...COMPLETE_CODES],
    streams: true,
  },
  async ({ caller, params, body, headers, cookies, deadlineAtMs }) => {
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const request = { ...params, ...body, token: tokenIn(headers) };
    const { left, ...signed } = await signInCloud(caller, request, { cookies }, deadline);
    return signedAnswer(signed, left);
  },
);
