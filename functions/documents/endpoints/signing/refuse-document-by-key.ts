import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { ACTION_CODES, TICKET_CODES } from '../../contract/refusals.ts';
import { KeyParams, RefusalByKey } from '../../contract/signing/signing.ts';
import { refuseDocumentByKey } from '../../domain/signing/approve-or-refuse.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/keys/{key}/refusal',
    summary: 'Refuse a document by an action URL',
    description: 'Refuses in the name of the person that the action URL was made for. The flow ends.',
    params: KeyParams,
    body: jsonBody(RefusalByKey),
    answers: { 200: EMPTY },
    refuses: [...TICKET_CODES, ...ACTION_CODES],
    access: 'public',
  },
  async ({ params, body }) => {
    await refuseDocumentByKey(params.key, body.ticket, body.reason, Date.now());
    return empty(200);
  },
);
