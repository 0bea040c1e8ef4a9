import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { START_CODES } from '../../contract/refusals.ts';
import { SignatureStarted, StartSignature } from '../../contract/signing.ts';
import { startSignature } from '../../domain/signing/start-signature.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/signature/certificate',
    summary: 'Start a signature with a certificate: answers the hash that its key is to sign',
    params: DocumentParams,
    body: jsonBody(StartSignature),
    answers: { 200: SignatureStarted },
    refuses: ['DocumentNotFound', ...START_CODES],
  },
  async ({ params, body, caller }) => startSignature(caller, params.id, body, Date.now()),
);
