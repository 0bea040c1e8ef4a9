import { anyBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { PartParams } from '../contract.ts';
import { uploadPart } from '../domain/upload.ts';
import { maxFileBytes } from '../limits.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/MultipartUploads/{token}/{partNumber}',
    summary: 'Upload a part of a file',
    description:
      'Takes the bytes of one part; parts are counted from 0. Keep the `ETag` of the answer for the completion.',
    params: PartParams,
    body: anyBody(),
    maxBodyBytes: maxFileBytes,
    answers: { 200: EMPTY },
    refuses: ['InvalidToken'],
    permission: SIGNATURES,
  },
  async ({ caller, params, body }) => {
    const etag = await uploadPart(caller, { ...params, content: body.stream() }, Date.now());
    return empty(200, { headers: { etag } });
  },
);
