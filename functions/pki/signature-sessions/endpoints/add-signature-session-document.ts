import { firstFile, multipartBody } from '../../../../shared/http/body/multipart.ts';
import { jsonBody, oneOf } from '../../../../shared/http/body/reader.ts';
import { errors } from '../../errors.ts';
import { pki } from '../../service.ts';
import { settings } from '../../settings.ts';
import { DOCUMENT_FORM, NewSessionDocument, SessionDocumentModel, SessionParams } from '../contract.ts';
import { keepDocument, nameDocument } from '../domain/add-document.ts';
import { shownDocument } from '../domain/shown-session.ts';
import { SIGNATURE_SESSIONS, VISIT_CODES, visitorOf } from '../service.ts';

const maxFileBytes = (): number => settings['SignatureSessions:MaxDocumentBytes'];

export const handler = pki.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/documents',
    summary: 'Add a document to a signature session that nobody has begun to sign',
    params: SessionParams,
    body: oneOf(
      jsonBody(NewSessionDocument),
      multipartBody({ maxFiles: () => 1, maxFileBytes, schema: DOCUMENT_FORM }),
    ),
    answers: { 200: SessionDocumentModel },
    refuses: [
      ...VISIT_CODES,
      'BadSignatureSessionOperation',
      'BackgroundProcessing',
      'EmptyDocument',
      'TooManyDocuments',
    ],
    permission: SIGNATURE_SESSIONS,
    maxBodyBytes: () => Math.ceil(maxFileBytes() / 3) * 4 + 65_536, // base64, and what stands around it
  },
  async (input) => {
    const { sessionId } = input.params;
    const visitor = visitorOf(input);
    const keep = (document: Parameters<typeof keepDocument>[2]) =>
      keepDocument(sessionId, visitor, document, Date.now());
    const { body } = input;
    const added =
      'parts' in body
        ? await firstFile(body, ({ fileName = '', ...file }) => keep({ ...file, name: fileName }))
        : await keep({ ...body, content: Buffer.from(body.content, 'base64') });
    if (!added) throw errors.refuse('EmptyDocument');
    await nameDocument(sessionId, visitor, added, Date.now());
    return shownDocument(added);
  },
);
