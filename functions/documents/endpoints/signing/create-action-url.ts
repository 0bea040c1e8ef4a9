import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { ACTION_CODES } from '../../contract/refusals.ts';
import { ActionUrl, ActionUrlRequest } from '../../contract/signing.ts';
import { createActionUrl } from '../../domain/signing/action-url.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/action-url',
    summary: 'Create the link to the first action that awaits a person',
    params: DocumentParams,
    body: jsonBody(ActionUrlRequest),
    answers: { 200: ActionUrl },
    refuses: ['DocumentNotFound', ...ACTION_CODES],
  },
  async ({ params, body, caller }) => createActionUrl(caller, params.id, body, Date.now()),
);
