import * as z from 'zod';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { signedAnswer } from '../../../../shared/ways/answers.ts';
import { WaySigned } from '../../../../shared/ways/contract.ts';
import { COMPLETE_CODES, START_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, TICKET_FIELD } from '../../contract/signing.ts';
import { signInCloud } from '../../domain/signing/ways/cloud.ts';
import { documents } from '../../service.ts';

// To write the signed file once the hub has given the signature, and to answer.
const RESERVE_MS = 15_000;

/** The provider may ask the holder once more, on a telephone: it takes up to two minutes. */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'POST /api/documents/keys/{key}/signature/cloud',
    summary: 'Sign with a cloud certificate',
    params: KeyParams,
    body: jsonBody(z.object(TICKET_FIELD)),
    answers: { 200: WaySigned },
    refuses: [...TICKET_CODES, ...START_CODES, ...COMPLETE_CODES],
    rate: 'ways',
    streams: true,
  },
  async ({ params: { key }, body: { ticket }, cookies, deadlineAtMs }) => {
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    return signedAnswer(await signInCloud({ key, ticket }, { cookies }, deadline), 0);
  },
);
