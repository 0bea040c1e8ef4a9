import * as z from 'zod';
import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { json } from '../../../../../shared/http/response/answer.ts';
import { LANGUAGES } from '../../../../../shared/ui/languages.ts';
import { VisitBegun } from '../../../../../shared/ways/contract.ts';
import { SessionParams } from '../../contract.ts';
import { beginCloudVisit } from '../../domain/ways/cloud.ts';
import { BY_TOKEN, SIGNATURE_SESSIONS, SIGNER_CODES, signatureSession, tokenIn } from '../../service.ts';

// The token is looked at after the body: a stranger may send it.
const MAX_BODY_BYTES = 16_384;
// To answer once the hub has answered.
const RESERVE_MS = 2_000;

export const handler = signatureSession.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/cloud',
    summary: 'Find the providers of a cloud certificate',
    params: SessionParams,
    body: jsonBody(z.object({ lang: z.enum(LANGUAGES) })),
    maxBodyBytes: () => MAX_BODY_BYTES,
    answers: { 200: VisitBegun },
    refuses: [...SIGNER_CODES, 'WayNotOffered'],
    credentials: BY_TOKEN,
    permission: SIGNATURE_SESSIONS,
    rate: 'ways',
    undocumented: true,
  },
  async ({ caller, params, body: { lang: language }, headers, cookies, deadlineAtMs }) => {
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const begun = await beginCloudVisit(
      caller,
      { ...params, token: tokenIn(headers) },
      { language, cookies },
      deadline,
    );
    const found = begun.outcome === 'begun' ? begun.providers : [];
    const providers = found.map(({ name, authUrl: address }) => ({ name, address }));
    return json({ state: begun.outcome, providers }, { cookies: begun.cookies });
  },
);
