import * as z from 'zod';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY, LANGUAGES } from '../../../../shared/ui/languages.ts';
import { visitAnswer } from '../../../../shared/ways/answers.ts';
import { OtherLinks, VisitBegun } from '../../../../shared/ways/contract.ts';
import { ACTION_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, TICKET_FIELD } from '../../contract/signing/signing.ts';
import { beginCloudVisit } from '../../domain/signing/ways/cloud.ts';
import { documents } from '../../service.ts';

// To answer once the hub has answered.
const RESERVE_MS = 2_000;

export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'POST /api/documents/keys/{key}/cloud',
    summary: 'Find the providers of a cloud certificate',
    params: KeyParams,
    body: jsonBody(z.object({ ...TICKET_FIELD, lang: z.enum(LANGUAGES), others: OtherLinks })),
    answers: { 200: VisitBegun },
    refuses: [...TICKET_CODES, ...ACTION_CODES, 'WayNotOffered'],
    rate: 'ways',
  },
  async ({ params: { key }, body: { ticket, lang: language, others }, cookies, deadlineAtMs }) => {
    const deadline = { atMs: deadlineAtMs - RESERVE_MS, now: Date.now };
    const documents = 1 + others.length;
    return visitAnswer(await beginCloudVisit({ key, ticket }, { language, cookies, documents }, deadline));
  },
);
