import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { COMPLETE_CODES } from '../../contract/refusals.ts';
import { CompleteSignature, KeyParams, SignatureCompleted } from '../../contract/signing/signing.ts';
import { completeSignatureByKey } from '../../domain/signing/complete-signature.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/keys/{key}/signature',
    summary: 'Complete a signature by an action URL',
    description:
      'Takes the signature value that the private key made over the hash, and writes the signed file. A token completes one signature, once.',
    params: KeyParams,
    body: jsonBody(CompleteSignature),
    answers: { 200: SignatureCompleted },
    refuses: ['DocumentInvalidKey', ...COMPLETE_CODES],
    access: 'public',
    streams: true,
  },
  async ({ params, body }) => completeSignatureByKey(params.key, body, Date.now()),
);
