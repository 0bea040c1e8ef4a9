import { MultipartUploadModel } from '../../../files/contract.ts';
import { beginOwnUpload } from '../../domain/own-files.ts';
import { SIGNER_CODES, signatureSession, tokenIn, WAY } from '../../service.ts';

export const handler = signatureSession.endpoint(
  {
    ...WAY,
    route: 'POST /api/signature-sessions/{sessionId}/uploads',
    summary: 'Begin the upload of a file that the person brings',
    answers: { 200: MultipartUploadModel },
    refuses: SIGNER_CODES,
  },
  ({ caller, params, headers }) => beginOwnUpload(caller, { ...params, token: tokenIn(headers) }, Date.now()),
);
