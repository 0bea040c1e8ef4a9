import { CodeParams, DocumentVerification } from '../../contract/verification/document-verification.ts';
import { verifyByCode } from '../../domain/verification/verify-by-code.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/verification/{code}',
    summary: 'Verify a document by the code on its evidence page',
    description:
      'Answers the state of the document and the verdict on its signed file. It needs no key: the code is the credential.',
    params: CodeParams,
    answers: { 200: DocumentVerification },
    refuses: ['VerificationCodeNotFound', 'ContentNotAvailable', 'SigningUnavailable'],
    access: 'public',
    rate: 'verification',
    streams: true,
  },
  async ({ params }) => verifyByCode(params.code, Date.now()),
);
