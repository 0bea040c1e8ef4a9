import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { CompleteMultipartUploadRequest, UploadParams } from '../contract.ts';
import { completeMultipart } from '../domain/upload.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/MultipartUploads/{token}',
    summary: 'Complete an upload in parts',
    description:
      'Makes one file of the parts. The token then names it in other requests, for a day. A part or a file that arrived other than it was sent is refused.',
    params: UploadParams,
    body: jsonBody(CompleteMultipartUploadRequest),
    answers: { 200: EMPTY },
    refuses: ['InvalidToken', 'BadDigest', 'EmptyDocument'],
    permission: SIGNATURES,
  },
  async ({ caller, params, body }) => {
    await completeMultipart(caller, { ...params, ...body }, Date.now());
    return empty(200);
  },
);
