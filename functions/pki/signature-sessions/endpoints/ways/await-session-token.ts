import * as z from 'zod';
import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { QuestionHandle, WaySigned } from '../../../../../shared/ways/contract.ts';
import { awaitToken } from '../../domain/ways/token.ts';
import { COMPLETE_CODES, SIGNER_CODES, signatureSession, tokenIn, WAY } from '../../service.ts';

const RESERVE_MS = 10_000;

/** Held for some seconds; the page asks again while it is answered `waiting`. */
export const handler = signatureSession.endpoint(
  {
    ...WAY,
    route: 'POST /api/signature-sessions/{sessionId}/token/answer',
    summary: 'Wait for the holder of a token',
    body: jsonBody(z.object({ question: QuestionHandle })),
    answers: { 200: WaySigned },
    refuses: [...SIGNER_CODES, ...COMPLETE_CODES],
    streams: true,
  },
  async ({ caller, params, body, headers, deadlineAtMs }) =>
    awaitToken(
      caller,
      { ...params, ...body, token: tokenIn(headers) },
      { atMs: deadlineAtMs - RESERVE_MS, now: Date.now },
    ),
);
