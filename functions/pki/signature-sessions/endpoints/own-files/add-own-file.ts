import { jsonBody } from '../../../../../shared/http/body/reader.ts';
import { OwnFile } from '../../contract/documents.ts';
import { SignatureSessionModel } from '../../contract/sessions.ts';
import { addOwnFile } from '../../domain/own-files.ts';
import { sessionModel } from '../../domain/session-model.ts';
import { SIGNER_CODES, signatureSession, tokenIn, WAY } from '../../service.ts';

export const handler = signatureSession.endpoint(
  {
    ...WAY,
    route: 'POST /api/signature-sessions/{sessionId}/files',
    summary: 'Add a file that the person brings',
    body: jsonBody(OwnFile),
    answers: { 200: SignatureSessionModel },
    refuses: [
      ...SIGNER_CODES,
      'TooManyDocuments',
      'InvalidToken',
      'BadDigest',
      'EmptyDocument',
      'FileRejected',
      'FileValidationUnavailable',
    ],
  },
  async ({ caller, params, body, headers }) =>
    sessionModel(caller, await addOwnFile(caller, { ...params, token: tokenIn(headers) }, body, Date.now())),
);
