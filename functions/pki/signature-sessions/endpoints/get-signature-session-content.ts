import { fileOf } from '../../../../shared/http/declaration.ts';
import { CANNOT_RUN } from '../../../../shared/http/response/answer.ts';
import { fileInParts, partIn } from '../../../../shared/http/response/parts.ts';
import { ContentQuery, DocumentParams } from '../contract/documents.ts';
import { openContent } from '../domain/content.ts';
import { BY_KEY_OR_TOKEN, SIGNATURE_SESSIONS, signatureSession, tokenIn, VISIT_CODES } from '../service.ts';

export const handler = signatureSession.endpoint(
  {
    route: 'GET /api/signature-sessions/{sessionId}/documents/{documentId}/content',
    summary: 'Download a document of a signature session',
    description:
      'Answers the signed file where there is one, else the original. Needs the key, or the token of the session in X-Signature-Session-Token. A `Range` of bytes is answered with 206.',
    params: DocumentParams,
    query: ContentQuery,
    answers: { 200: fileOf('*/*'), 206: fileOf('*/*') },
    refuses: [...VISIT_CODES, 'DocumentNotFound', 'BadSignatureSessionOperation', 'BackgroundProcessing'],
    credentials: BY_KEY_OR_TOKEN,
    permission: SIGNATURE_SESSIONS,
    streams: true,
  },
  async ({ caller, params, query, headers }) => {
    const request = { ...params, ...query, token: tokenIn(headers), partOf: partIn(headers) };
    const { stream, contentType, ...content } = await openContent(caller, request, Date.now());
    // Stored XSS: an uploaded file must not run as a page of this origin.
    return fileInParts(stream, contentType, { ...content, headers: CANNOT_RUN });
  },
);
