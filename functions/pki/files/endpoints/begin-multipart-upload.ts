import { pki, SIGNATURES } from '../../service.ts';
import { MultipartUploadModel } from '../contract.ts';
import { beginMultipart } from '../domain/upload.ts';

export const handler = pki.endpoint(
  {
    route: 'POST /Api/MultipartUploads',
    summary: 'Begin an upload in parts',
    description: 'Answers the token of the upload, and the size of its parts.',
    answers: { 200: MultipartUploadModel },
    permission: SIGNATURES,
  },
  ({ caller }) => beginMultipart(caller, Date.now()),
);
