import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { START_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, SignatureStarted, StartSignatureByKey } from '../../contract/signing.ts';
import { startSignatureByKey } from '../../domain/signing/start-signature.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/keys/{key}/signature/certificate',
    summary: 'Start a signature by an action URL',
    description:
      'Checks the certificate and answers the hash that its private key must sign. The key and the ticket come from the action URL.',
    params: KeyParams,
    body: jsonBody(StartSignatureByKey),
    answers: { 200: SignatureStarted },
    refuses: [...TICKET_CODES, ...START_CODES],
    access: 'public',
    streams: true,
  },
  async ({ params, body }) => startSignatureByKey(params.key, body, Date.now()),
);
