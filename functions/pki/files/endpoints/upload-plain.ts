import { firstFile, multipartBody } from '../../../../shared/http/body/multipart.ts';
import { anyBody, oneOf } from '../../../../shared/http/body/reader.ts';
import { errors } from '../../errors.ts';
import { pki, SIGNATURES } from '../../service.ts';
import { FileReferenceModel, PLAIN_FORM } from '../contract.ts';
import { type PlainUpload, uploadPlain } from '../domain/upload.ts';
import { maxFileBytes } from '../limits.ts';

const FORM_BYTES = 65_536;

export const handler = pki.endpoint(
  {
    route: 'POST /api/plain-uploads',
    summary: 'Upload a file in one request',
    description:
      'Takes the bytes of the file, or a form with one file. The `blobToken` of the answer names the file in other requests, for a day.',
    body: oneOf(multipartBody({ maxFiles: () => 1, maxFileBytes, schema: PLAIN_FORM }), anyBody()),
    maxBodyBytes: () => maxFileBytes() + FORM_BYTES,
    answers: { 200: FileReferenceModel },
    refuses: ['EmptyDocument'],
    permission: SIGNATURES,
  },
  async ({ caller, body }) => {
    const upload = (file: PlainUpload) => uploadPlain(caller, file, Date.now());
    if (!('parts' in body))
      return upload({ name: undefined, contentType: body.contentType, content: body.stream() });
    const taken = await firstFile(body, ({ fileName, ...file }) => upload({ ...file, name: fileName }));
    if (!taken) throw errors.refuse('EmptyDocument');
    return taken;
  },
);
