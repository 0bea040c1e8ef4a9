import * as z from 'zod';
import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { QuestionHandle, WaySigned } from '../../../../../shared/ways/contract.ts';
import { SessionParams } from '../../contract.ts';
import { awaitToken } from '../../domain/ways/token.ts';
import { BY_TOKEN, SIGNATURE_SESSIONS, SIGNER_CODES, signatureSession, tokenIn } from '../../service.ts';

// The token is looked at after the body: a stranger may send it.
const MAX_BODY_BYTES = 16_384;
const RESERVE_MS = 10_000;

/** Held for some seconds; the page asks again while it is answered `waiting`. */
export const handler = signatureSession.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/token/answer',
    summary: 'Wait for the holder of a token',
    params: SessionParams,
    body: jsonBody(z.object({ question: QuestionHandle })),
    maxBodyBytes: () => MAX_BODY_BYTES,
    answers: { 200: WaySigned },
    refuses: [
      ...SIGNER_CODES,
      'DocumentNotFound',
      'SecurityContextNotFound',
      'InvalidToken',
      'InvalidSignature',
      'PKCertificateMalformed',
      'CertificateMismatch',
      'CertificateRequirementNotMet',
      'DocumentNotSignable',
      'UnsupportedSignatureAlgorithm',
    ],
    credentials: BY_TOKEN,
    permission: SIGNATURE_SESSIONS,
    rate: 'ways',
    streams: true,
    undocumented: true,
  },
  async ({ caller, params, body, headers, deadlineAtMs }) =>
    awaitToken(
      caller,
      { ...params, ...body, token: tokenIn(headers) },
      { atMs: deadlineAtMs - RESERVE_MS, now: Date.now },
    ),
);
