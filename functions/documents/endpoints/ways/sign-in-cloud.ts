import * as z from 'zod';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { signedAnswer } from '../../../../shared/ways/answers.ts';
import { OtherLinks, PageLink, WaySigned } from '../../../../shared/ways/contract.ts';
import { COMPLETE_CODES, START_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, TICKET_FIELD } from '../../contract/signing/signing.ts';
import { signInCloud } from '../../domain/signing/ways/cloud.ts';
import { documents } from '../../service.ts';

// To write the signed file once the hub has given the signature, and to answer.
const RESERVE_MS = 15_000;

/**
 * The provider may ask the holder once more, on a telephone: it takes up to two minutes. `others` are signed by further
 * calls, each for one document, under the permission of the `page` that began the visit.
 */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'POST /api/documents/keys/{key}/signature/cloud',
    summary: 'Sign with a cloud certificate',
    params: KeyParams,
    body: jsonBody(z.object({ ...TICKET_FIELD, page: PageLink, others: OtherLinks })),
    answers: { 200: WaySigned },
    refuses: [...TICKET_CODES, ...START_CODES, ...COMPLETE_CODES],
    rate: 'ways',
    streams: true,
  },
  async ({ params: { key }, body: { ticket, page, others }, cookies, deadlineAtMs }) => {
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const link = { key, ticket };
    const visit = { page: page ?? link, isLast: others.length === 0 };
    return signedAnswer(await signInCloud(link, visit, { cookies }, deadline), 0);
  },
);
