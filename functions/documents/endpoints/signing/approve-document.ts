import { optionalJsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { ACTION_CODES } from '../../contract/refusals.ts';
import { Approval } from '../../contract/signing/signing.ts';
import { approveDocument } from '../../domain/signing/approve-or-refuse.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/approval',
    can: 'documents.change',
    summary: 'Approve a document for a person',
    description:
      'Approves in the name of the person that the body names, or of the first person that the document waits for.',
    params: DocumentParams,
    body: optionalJsonBody(Approval),
    answers: { 200: EMPTY },
    refuses: ['DocumentNotFound', ...ACTION_CODES],
  },
  async ({ params, body, caller }) => {
    await approveDocument(caller, params.id, body, Date.now());
    return empty(200);
  },
);
