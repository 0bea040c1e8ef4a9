import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { CreateTemplate, TemplateDetails } from '../../contract/templates.ts';
import { storeTemplate } from '../../domain/templates/store-template.ts';
import { renderDetails } from '../../domain/templates/template.ts';
import { readPeople } from '../../http/read-people.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/document-templates',
    can: 'templates.change',
    summary: 'Store a template',
    description: 'A flow with roles, marks, a message and a deadline, for one document or for many.',
    tag: 'documents',
    body: jsonBody(CreateTemplate),
    answers: { 200: TemplateDetails },
    refuses: ['OrganizationRequired', 'OrganizationNotFound', 'OptionNotSupported'],
    once: true,
  },
  async ({ body, caller, once }) =>
    once(body, async () => renderDetails(await storeTemplate(caller, body, Date.now(), readPeople))),
);
