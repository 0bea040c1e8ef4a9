import * as z from 'zod';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { OtherLinks, QuestionHandle, WaySigned } from '../../../../shared/ways/contract.ts';
import { COMPLETE_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, TICKET_FIELD } from '../../contract/signing/signing.ts';
import { awaitToken } from '../../domain/signing/ways/token.ts';
import { documents } from '../../service.ts';

const RESERVE_MS = 10_000;

/** Held for some seconds; the page asks again while it is answered `waiting`. */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'POST /api/documents/keys/{key}/token/answer',
    summary: 'Wait for the holder of a token',
    params: KeyParams,
    body: jsonBody(z.object({ ...TICKET_FIELD, question: QuestionHandle, others: OtherLinks })),
    answers: { 200: WaySigned },
    refuses: [...TICKET_CODES, ...COMPLETE_CODES],
    rate: 'ways',
    streams: true,
  },
  async ({ params: { key }, body: { ticket, ...asked }, deadlineAtMs }) =>
    awaitToken({ key, ticket }, asked, { atMs: deadlineAtMs - RESERVE_MS, now: Date.now }),
);
