import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { ACTION_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { ApprovalByKey, KeyParams } from '../../contract/signing/signing.ts';
import { approveDocumentByKey } from '../../domain/signing/approve-or-refuse.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/keys/{key}/approval',
    summary: 'Approve a document by an action URL',
    description: 'Approves in the name of the person that the action URL was made for.',
    params: KeyParams,
    body: jsonBody(ApprovalByKey),
    answers: { 200: EMPTY },
    refuses: [...TICKET_CODES, ...ACTION_CODES],
    access: 'public',
  },
  async ({ params, body }) => {
    await approveDocumentByKey(params.key, body.ticket, Date.now());
    return empty(200);
  },
);
