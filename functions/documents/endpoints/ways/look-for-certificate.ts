import * as z from 'zod';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { lookAnswer } from '../../../../shared/ways/answers.ts';
import { Way, WayLook } from '../../../../shared/ways/contract.ts';
import { ACTION_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, TICKET_FIELD } from '../../contract/signing/signing.ts';
import { lookInCloud } from '../../domain/signing/ways/cloud.ts';
import { lookForToken } from '../../domain/signing/ways/token.ts';
import { documents } from '../../service.ts';

const RESERVE_MS = 2_000;

/** How the page stands with a certificate that is not a file. */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'POST /api/documents/keys/{key}/certificate',
    summary: 'Look for a certificate in the cloud or at a workstation',
    params: KeyParams,
    body: jsonBody(z.object({ ...TICKET_FIELD, way: Way })),
    answers: { 200: WayLook },
    refuses: [...TICKET_CODES, ...ACTION_CODES, 'WayNotOffered'],
    rate: 'ways',
  },
  async ({ params: { key }, body: { ticket, way }, cookies, deadlineAtMs }) => {
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const link = { key, ticket };
    return lookAnswer(
      way === 'cloud' ? await lookInCloud(link, { cookies }, deadline) : await lookForToken(link, deadline),
    );
  },
);
