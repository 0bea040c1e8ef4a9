import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { START_CODES } from '../../contract/refusals.ts';
import { SignatureStarted, StartSignature } from '../../contract/signing/signing.ts';
import { startSignature } from '../../domain/signing/start-signature.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/signature/certificate',
    can: 'documents.change',
    summary: 'Start a signature with a certificate',
    description:
      'Checks the certificate and answers the hash that its private key must sign. Complete the signature with the token of the answer.',
    params: DocumentParams,
    body: jsonBody(StartSignature),
    answers: { 200: SignatureStarted },
    refuses: ['DocumentNotFound', ...START_CODES],
    streams: true,
  },
  async ({ params, body, caller }) => startSignature(caller, params.id, body, Date.now()),
);
