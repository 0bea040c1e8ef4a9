import * as z from 'zod';
import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { lookAnswer } from '../../../../../shared/ways/answers.ts';
import { Way, WayLook } from '../../../../../shared/ways/contract.ts';
import { lookInCloud } from '../../domain/ways/cloud.ts';
import { lookForToken } from '../../domain/ways/token.ts';
import { SIGNER_CODES, signatureSession, tokenIn, WAY } from '../../service.ts';

const RESERVE_MS = 2_000;

/** How the page stands with a certificate that is not a file. */
export const handler = signatureSession.endpoint(
  {
    ...WAY,
    route: 'POST /api/signature-sessions/{sessionId}/certificate',
    summary: 'Look for a certificate in the cloud or at a workstation',
    body: jsonBody(z.object({ way: Way })),
    answers: { 200: WayLook },
    refuses: [...SIGNER_CODES, 'WayNotOffered'],
  },
  async ({ caller, params, body: { way }, headers, cookies, deadlineAtMs }) => {
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const access = { ...params, token: tokenIn(headers) };
    return lookAnswer(
      way === 'cloud'
        ? await lookInCloud(caller, access, { cookies }, deadline)
        : await lookForToken(caller, access, deadline),
    );
  },
);
