import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { COMPLETE_CODES } from '../../contract/refusals.ts';
import { CompleteSignature, SignatureCompleted } from '../../contract/signing/signing.ts';
import { completeSignature } from '../../domain/signing/complete-signature.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/signature',
    can: 'documents.change',
    summary: 'Complete a signature',
    description:
      'Takes the signature value that the private key made over the hash, and writes the signed file. A token completes one signature, once.',
    params: DocumentParams,
    body: jsonBody(CompleteSignature),
    answers: { 200: SignatureCompleted },
    refuses: ['DocumentNotFound', ...COMPLETE_CODES],
    streams: true,
  },
  async ({ params, body, caller }) => completeSignature(caller, params.id, body, Date.now()),
);
