import { CodeParams } from '../../contract/verification/document-verification.ts';
import { openByCode } from '../../domain/verification/verify-by-code.ts';
import { ANY_FILE, contentResponse } from '../../http/content-response.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/verification/{code}/content',
    summary: 'Download the signed file by the code on its evidence page',
    description: 'Answers the signed file of a document that is concluded. The code is the credential.',
    params: CodeParams,
    answers: { 200: ANY_FILE },
    refuses: ['VerificationCodeNotFound', 'ContentNotAvailable'],
    access: 'public',
    rate: 'verification',
    streams: true,
  },
  async ({ params }) => contentResponse(await openByCode(params.code, Date.now())),
);
