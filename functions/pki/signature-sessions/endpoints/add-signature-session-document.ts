import { firstFile, multipartBody } from '../../../../shared/http/body/multipart.ts';
import { jsonBody, oneOf } from '../../../../shared/http/body/reader.ts';
import { errors } from '../../errors.ts';
import { pki } from '../../service.ts';
import { settings } from '../../settings.ts';
import { DOCUMENT_FORM, NewSessionDocument, SessionDocumentModel, SessionParams } from '../contract.ts';
import { attachDocument, type DocumentUpload, storeDocument } from '../domain/add-document.ts';
import { documentModel } from '../domain/session-model.ts';
import { SIGNATURE_SESSIONS, tokenIn, VISIT_CODES } from '../service.ts';

const maxFileBytes = (): number => settings['SignatureSessions:MaxDocumentBytes'];

export const handler = pki.endpoint(
  {
    route: 'POST /api/signature-sessions/{sessionId}/documents',
    summary: 'Add a document to a signature session',
    description:
      'Takes JSON or a form with one file. Documents can be added until the person begins to sign.',
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
  async ({ caller, params, body, headers }) => {
    const access = { ...params, token: tokenIn(headers) };
    const store = (upload: DocumentUpload) => storeDocument(caller, access, upload, Date.now());
    const added =
      'parts' in body
        ? await firstFile(body, ({ fileName = '', ...file }) => store({ ...file, name: fileName }))
        : await store({ ...body, content: Buffer.from(body.content, 'base64') });
    if (!added) throw errors.refuse('EmptyDocument');
    await attachDocument(caller, access, added, Date.now());
    return documentModel(added);
  },
);
