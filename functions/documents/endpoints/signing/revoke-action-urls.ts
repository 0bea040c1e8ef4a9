import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { RevokeActionUrls } from '../../contract/signing/signing.ts';
import { revokeActionUrls } from '../../domain/links/revoke-links.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/action-url/revocation',
    can: 'documents.change',
    summary: 'Revoke the links of a person',
    description:
      'No link that this person has opens the document any more, and no signature that was started by one can be completed. A reminder, or another action URL, gives them a new one.',
    params: DocumentParams,
    body: jsonBody(RevokeActionUrls),
    answers: { 204: EMPTY },
    refuses: ['DocumentNotFound', 'InvalidFlowAction'],
  },
  async ({ params, body, caller }) => {
    await revokeActionUrls(caller, params.id, body);
    return empty(204);
  },
);
