import * as z from 'zod';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { Fingerprint, OtherLinks, TokenAsked } from '../../../../shared/ways/contract.ts';
import { START_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, TICKET_FIELD } from '../../contract/signing/signing.ts';
import { askForToken } from '../../domain/signing/ways/token.ts';
import { documents } from '../../service.ts';

const RESERVE_MS = 2_000;

export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'POST /api/documents/keys/{key}/token',
    summary: 'Ask the holder of a token to sign',
    params: KeyParams,
    body: jsonBody(z.object({ ...TICKET_FIELD, sha256: Fingerprint, others: OtherLinks })),
    answers: { 200: TokenAsked },
    refuses: [...TICKET_CODES, ...START_CODES, 'WayNotOffered'],
    rate: 'ways',
    streams: true,
  },
  async ({ params: { key }, body: { ticket, ...asked }, deadlineAtMs }) =>
    askForToken({ key, ticket }, asked, { atMs: deadlineAtMs - RESERVE_MS, now: Date.now }),
);
