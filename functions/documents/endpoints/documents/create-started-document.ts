import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { CreatedStarted, CreateStarted } from '../../contract/create-started.ts';
import { CREATE_CODES, START_CODES } from '../../contract/refusals.ts';
import { createStarted } from '../../domain/creating/create-started.ts';
import { maxBase64Body } from '../../http/base64-body.ts';
import { documents } from '../../service.ts';

// The flow and the certificate, as the operations that take them alone.
const JSON_BYTES = 1_048_576;

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/started',
    can: 'documents.send',
    summary: 'Create a document of a file and start its signature, in one call',
    description:
      'What POST /api/uploads/bytes, POST /api/documents and POST /api/documents/{id}/signature/certificate do, with their rules, for one file and the first signature. Either the document is created and its signature started, or nothing is created. Complete the signature with the token of the answer.',
    body: jsonBody(CreateStarted),
    maxBodyBytes: () => maxBase64Body(JSON_BYTES),
    answers: { 200: CreatedStarted },
    refuses: ['UploadEmpty', ...CREATE_CODES, ...START_CODES],
    once: true,
    streams: true,
  },
  async ({ body, caller, once }) => once(body, () => createStarted(caller, body, Date.now())),
);
