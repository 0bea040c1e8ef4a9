import { DocumentParams } from '../../contract/documents.ts';
import { SignatureSessionModel } from '../../contract/sessions.ts';
import { removeOwnFile } from '../../domain/own-files.ts';
import { sessionModel } from '../../domain/session-model.ts';
import { SIGNER_CODES, signatureSession, tokenIn, WAY } from '../../service.ts';

export const handler = signatureSession.endpoint(
  {
    ...WAY,
    route: 'POST /api/signature-sessions/{sessionId}/files/{documentId}/removal',
    summary: 'Take a file back that the person brought',
    params: DocumentParams,
    answers: { 200: SignatureSessionModel },
    refuses: [...SIGNER_CODES, 'DocumentNotFound'],
  },
  async ({ caller, params, headers }) =>
    sessionModel(caller, await removeOwnFile(caller, { ...params, token: tokenIn(headers) }, Date.now())),
);
