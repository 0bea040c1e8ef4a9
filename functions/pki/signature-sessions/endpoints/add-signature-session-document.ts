import { firstFile, multipartBody } from '../../../../shared/http/body/multipart.ts';
import { jsonBody, oneOf } from '../../../../shared/http/body/reader.ts';
import { errors } from '../../errors.ts';
import { maxFileBytes, maxFileJsonBytes } from '../../files/limits.ts';
import { pki } from '../../service.ts';
import {
  DOCUMENT_FORM,
  NewSessionDocument,
  SessionDocumentModel,
  SessionParams,
} from '../contract/documents.ts';
import { attachDocument, type DocumentUpload, storeDocument } from '../domain/add-document.ts';
import { openUpload } from '../domain/open-upload.ts';
import { documentModel } from '../domain/session-model.ts';
import { NEW_DOCUMENT_CODES, SIGNATURE_SESSIONS, tokenIn, VISIT_CODES } from '../service.ts';

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
      'TooManyDocuments',
      ...NEW_DOCUMENT_CODES,
    ],
    permission: SIGNATURE_SESSIONS,
    maxBodyBytes: maxFileJsonBytes,
  },
  async ({ caller, params, body, headers }) => {
    const access = { ...params, token: tokenIn(headers) };
    const store = (upload: DocumentUpload) => storeDocument(caller, access, upload, Date.now());
    const stored =
      'parts' in body
        ? await firstFile(body, ({ fileName, ...file }) => store({ ...file, name: fileName }))
        : await store(await openUpload(caller, body, Date.now()));
    if (!stored) throw errors.refuse('EmptyDocument');
    const session = await attachDocument(caller, access, stored, Date.now());
    return documentModel(caller, session, stored);
  },
);
