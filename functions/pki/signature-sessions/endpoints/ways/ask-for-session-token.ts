import * as z from 'zod';
import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { DocumentIds, Fingerprint, TokenAsked } from '../../../../../shared/ways/contract.ts';
import { SessionParams } from '../../contract.ts';
import { askForToken } from '../../domain/ways/token.ts';
import { BY_TOKEN, SIGNATURE_SESSIONS, SIGNER_CODES, signatureSession, tokenIn } from '../../service.ts';

// The token is looked at after the body: a stranger may send it.
const MAX_BODY_BYTES = 16_384;
const RESERVE_MS = 2_000;

export const handler = signatureSession.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/token',
    summary: 'Ask the holder of a token to sign',
    params: SessionParams,
    body: jsonBody(z.object({ sha256: Fingerprint, documentIds: DocumentIds })),
    maxBodyBytes: () => MAX_BODY_BYTES,
    answers: { 200: TokenAsked },
    refuses: [
      ...SIGNER_CODES,
      'WayNotOffered',
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
    askForToken(
      caller,
      { ...params, ...body, token: tokenIn(headers) },
      { atMs: deadlineAtMs - RESERVE_MS, now: Date.now },
    ),
);
