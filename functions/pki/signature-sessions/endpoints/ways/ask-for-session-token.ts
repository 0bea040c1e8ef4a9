import * as z from 'zod';
import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { DocumentIds, Fingerprint, TokenAsked } from '../../../../../shared/ways/contract.ts';
import { askForToken } from '../../domain/ways/token.ts';
import { SIGNER_CODES, START_CODES, signatureSession, tokenIn, WAY } from '../../service.ts';

const RESERVE_MS = 2_000;

export const handler = signatureSession.endpoint(
  {
    ...WAY,
    route: 'POST /api/signature-sessions/{sessionId}/token',
    summary: 'Ask the holder of a token to sign',
    body: jsonBody(z.object({ sha256: Fingerprint, documentIds: DocumentIds })),
    answers: { 200: TokenAsked },
    refuses: [...SIGNER_CODES, ...START_CODES, 'WayNotOffered'],
    streams: true,
  },
  async ({ caller, params, body, headers, deadlineAtMs }) =>
    askForToken(
      caller,
      { ...params, ...body, token: tokenIn(headers) },
      { atMs: deadlineAtMs - RESERVE_MS, now: Date.now },
    ),
);
