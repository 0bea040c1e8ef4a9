import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { DocumentParams } from '../../contract/documents.ts';
import { NotifiedEmails } from '../../contract/mail.ts';
import { setNotifiedEmails } from '../../domain/mail/notified-emails.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'PUT /api/documents/{id}/notified-emails',
    can: 'documents.change',
    summary: 'Replace who is told when a document is concluded',
    description: 'They get a mail with a link to the file. A document that has ended tells nobody any more.',
    params: DocumentParams,
    body: jsonBody(NotifiedEmails),
    answers: { 200: EMPTY },
    refuses: ['DocumentNotFound', 'InvalidDocumentStatus'],
  },
  async ({ params, body, caller }) => {
    await setNotifiedEmails(caller, params.id, body.emails, Date.now());
    return empty(200);
  },
);
