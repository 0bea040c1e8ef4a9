import { CodeKeyParams, SignaturesInfo } from '../../contract/signing/signers.ts';
import { readSignaturesByCode } from '../../domain/verification/signers.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/keys/{key}/signatures',
    summary: 'Read who signed a document, by the code on its evidence page',
    description:
      'The same as with a key, with CPFs masked. It needs no key: the code is the credential. Before the first signature, and after a refusal, cancellation or expiry, `signers` is empty.',
    params: CodeKeyParams,
    answers: { 200: SignaturesInfo },
    refuses: ['VerificationCodeNotFound', 'ContentNotAvailable', 'FileNotVerifiable', 'SigningUnavailable'],
    access: 'public',
    rate: 'verification',
    streams: true,
  },
  async ({ params }) => readSignaturesByCode(params.key, Date.now()),
);
