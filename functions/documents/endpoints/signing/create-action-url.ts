import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { ACTION_CODES } from '../../contract/refusals.ts';
import { ActionUrl, ActionUrlRequest } from '../../contract/signing/signing.ts';
import { createActionUrl } from '../../domain/signing/action-url.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/{id}/action-url',
    can: 'documents.change',
    summary: 'Create the link at which a person acts',
    description:
      'The link opens a page for the first action that waits for this person. Send it to them, or show `embedUrl` in a page of yours.',
    params: DocumentParams,
    body: jsonBody(ActionUrlRequest),
    answers: { 200: ActionUrl },
    refuses: ['DocumentNotFound', ...ACTION_CODES, 'MailNotEnabled', 'EmailAddressRequired'],
  },
  async ({ params, body, caller }) => createActionUrl(caller, params.id, body, Date.now()),
);
