import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { START_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, SignatureStarted, StartSignatureByKey } from '../../contract/signing/signing.ts';
import { startSignatureByKey } from '../../domain/signing/start-signature.ts';
import { documents } from '../../service.ts';

// The longest certificate, and the place of its mark.
const MAX_BODY_BYTES = 131_072;
const MAX_VALUES = 1_000;

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/keys/{key}/signature/certificate',
    summary: 'Start a signature by an action URL',
    description:
      'Checks the certificate and answers the hash that its private key must sign. The key and the ticket come from the action URL.',
    params: KeyParams,
    body: jsonBody(StartSignatureByKey, { maxValues: MAX_VALUES }),
    maxBodyBytes: () => MAX_BODY_BYTES,
    answers: { 200: SignatureStarted },
    refuses: [...TICKET_CODES, ...START_CODES],
    access: 'public',
    streams: true,
  },
  async ({ params, body }) => startSignatureByKey(params.key, body, Date.now()),
);
