import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { ACTION_CODES } from '../../contract/refusals.ts';
import { Refusal } from '../../contract/signing/signing.ts';
import { refuseDocument } from '../../domain/signing/approve-or-refuse.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/refusal',
    can: 'documents.change',
    summary: 'Refuse a document',
    description:
      'Refuses in the name of the person that the body names, or of the only person that the document waits for. Where it waits for several and none is named, the application itself refuses the document. The flow ends.',
    params: DocumentParams,
    body: jsonBody(Refusal),
    answers: { 200: EMPTY },
    refuses: ['DocumentNotFound', ...ACTION_CODES],
  },
  async ({ params, body, caller }) => {
    await refuseDocument(caller, params.id, body, Date.now());
    return empty(200);
  },
);
