import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { CreateDocuments, CreatedDocuments } from '../../contract/create-document.ts';
import { CREATE_CODES } from '../../contract/refusals.ts';
import { createDocuments } from '../../domain/creating/create-documents.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents',
    can: 'documents.send',
    summary: 'Create documents from uploads and start their flow',
    description:
      'Each file becomes a document with the same flow, or all of them one envelope. The participants of the first step can act as soon as the call answers.',
    body: jsonBody(CreateDocuments),
    answers: { 200: CreatedDocuments },
    refuses: [...CREATE_CODES, 'EnvelopePartNotUsable'],
    once: true,
  },
  async ({ body, caller, once, deadlineAtMs, hangUp }) =>
    once(body, () => createDocuments(caller, body, Date.now(), { now: Date.now, deadlineAtMs, hangUp })),
);
