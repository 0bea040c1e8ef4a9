import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { DocumentParams, Reason } from '../../contract/documents.ts';
import { cancelDocument } from '../../domain/ending/end-document.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/cancellation',
    can: 'documents.change',
    summary: 'Cancel a document',
    description: 'Ends a document that is pending or refused. The reason is kept with the document.',
    params: DocumentParams,
    body: jsonBody(Reason),
    answers: { 200: EMPTY },
    refuses: ['DocumentNotFound', 'InvalidDocumentStatus'],
  },
  async ({ params, body, caller }) => {
    await cancelDocument(caller, params.id, body.reason, Date.now());
    return empty(200);
  },
);
