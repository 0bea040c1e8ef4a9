import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { CreatedDocuments } from '../../contract/create-document.ts';
import { CREATE_CODES } from '../../contract/refusals.ts';
import { TemplateParams, UseTemplate } from '../../contract/templates.ts';
import { createByTemplate } from '../../domain/templates/use-template.ts';
import { readPeople } from '../../http/read-people.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/document-templates/{id}/documents',
    can: 'documents.send',
    summary: 'Create documents by a template',
    description: 'As POST /api/documents, with the flow of the template and the values of the request in it.',
    tag: 'documents',
    params: TemplateParams,
    body: jsonBody(UseTemplate),
    answers: { 200: CreatedDocuments },
    refuses: [...CREATE_CODES, 'TemplateNotFound', 'EnvelopePartNotUsable'],
    once: true,
  },
  async ({ params, body, caller, once, deadlineAtMs, hangUp }) =>
    once(body, () => {
      const options = { readPeople, now: Date.now, deadlineAtMs, hangUp };
      return createByTemplate(caller, params.id, body, Date.now(), options);
    }),
);
