import * as z from 'zod';
import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { LANGUAGES } from '../../../../../shared/ui/languages.ts';
import { visitAnswer } from '../../../../../shared/ways/answers.ts';
import { VisitBegun } from '../../../../../shared/ways/contract.ts';
import { beginCloudVisit } from '../../domain/ways/cloud.ts';
import { SIGNER_CODES, signatureSession, tokenIn, WAY } from '../../service.ts';

// To answer once the hub has answered.
const RESERVE_MS = 2_000;

export const handler = signatureSession.endpoint(
  {
    ...WAY,
    route: 'POST /api/signature-sessions/{sessionId}/cloud',
    summary: 'Find the providers of a cloud certificate',
    body: jsonBody(z.object({ lang: z.enum(LANGUAGES) })),
    answers: { 200: VisitBegun },
    refuses: [...SIGNER_CODES, 'WayNotOffered'],
  },
  async ({ caller, params, body: { lang: language }, headers, cookies, deadlineAtMs }) => {
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const access = { ...params, token: tokenIn(headers) };
    return visitAnswer(await beginCloudVisit(caller, access, { language, cookies }, deadline));
  },
);
