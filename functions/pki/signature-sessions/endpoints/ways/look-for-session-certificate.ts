import * as z from 'zod';
import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { json } from '../../../../../shared/http/response/answer.ts';
import { Way, WayLook } from '../../../../../shared/ways/contract.ts';
import { showCertificate } from '../../../../../shared/ways/show-certificate.ts';
import { SessionParams } from '../../contract.ts';
import { lookInCloud } from '../../domain/ways/cloud.ts';
import { lookForToken } from '../../domain/ways/token.ts';
import { BY_TOKEN, SIGNATURE_SESSIONS, SIGNER_CODES, signatureSession, tokenIn } from '../../service.ts';

// The token is looked at after the body: a stranger may send it.
const MAX_BODY_BYTES = 16_384;
const RESERVE_MS = 2_000;

/** How the page stands with a certificate that is not a file. */
export const handler = signatureSession.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/certificate',
    summary: 'Look for a certificate in the cloud or at a workstation',
    params: SessionParams,
    body: jsonBody(z.object({ way: Way })),
    maxBodyBytes: () => MAX_BODY_BYTES,
    answers: { 200: WayLook },
    refuses: [...SIGNER_CODES, 'WayNotOffered'],
    credentials: BY_TOKEN,
    permission: SIGNATURE_SESSIONS,
    rate: 'ways',
    undocumented: true,
  },
  async ({ caller, params, body: { way }, headers, cookies, deadlineAtMs }) => {
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const access = { ...params, token: tokenIn(headers) };
    const found =
      way === 'cloud'
        ? await lookInCloud(caller, access, { cookies }, deadline)
        : { ...(await lookForToken(caller, access, deadline)), cookies: [] };
    const certificates = found.certificates.map(showCertificate);
    return json({ state: found.state, certificates }, { cookies: found.cookies });
  },
);
