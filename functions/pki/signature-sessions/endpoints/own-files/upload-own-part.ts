import { anyBody } from '../../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../../shared/http/declaration.ts';
import { empty } from '../../../../../shared/http/response/answer.ts';
import { PART_BYTES } from '../../../files/domain/upload.ts';
import { OwnPartParams } from '../../contract/documents.ts';
import { uploadOwnPart } from '../../domain/own-files.ts';
import { SIGNER_CODES, signatureSession, tokenIn, WAY } from '../../service.ts';

/** The session's token is looked at before the part is read. */
export const handler = signatureSession.endpoint(
  {
    ...WAY,
    route: 'POST /api/signature-sessions/{sessionId}/uploads/{token}/{partNumber}',
    summary: 'Upload a part of a file that the person brings',
    params: OwnPartParams,
    body: anyBody(),
    maxBodyBytes: () => PART_BYTES,
    answers: { 200: EMPTY },
    refuses: [...SIGNER_CODES, 'InvalidToken'],
  },
  async ({ caller, params: { sessionId, ...part }, body, headers }) => {
    const access = { sessionId, token: tokenIn(headers) };
    const content = body.stream();
    return empty(200, {
      headers: { etag: await uploadOwnPart(caller, access, { ...part, content }, Date.now()) },
    });
  },
);
