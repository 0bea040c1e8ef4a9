import * as z from 'zod';
import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, TICKET_FIELD } from '../../contract/signing/signing.ts';
import { findOthers } from '../../domain/signing/ways/others.ts';
import { documents } from '../../service.ts';

const OtherDocuments = z.object({
  documents: z.array(
    z.object({ key: z.string(), ticket: z.string(), name: z.string(), actionId: z.string() }),
  ),
});

/** For somebody who has just signed: `proof` is the token of that signature. */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'POST /api/documents/keys/{key}/others',
    summary: 'Find what else waits for the person who signed',
    params: KeyParams,
    body: jsonBody(z.object({ ...TICKET_FIELD, proof: z.string().min(1).max(200) })),
    answers: { 200: OtherDocuments },
    refuses: TICKET_CODES,
    rate: 'ways',
  },
  async ({ params: { key }, body: { ticket, proof } }) => ({
    documents: await findOthers({ key, ticket }, proof, Date.now()),
  }),
);
