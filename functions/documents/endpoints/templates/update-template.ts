import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { TemplateDetails, TemplateParams, UpdateTemplate } from '../../contract/templates.ts';
import { replaceTemplate } from '../../domain/templates/store-template.ts';
import { renderDetails } from '../../domain/templates/template.ts';
import { readPeople } from '../../http/read-people.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'PUT /api/document-templates/{id}',
    can: 'templates.change',
    summary: 'Change a template',
    description:
      'Replaces all that the template has. Refused where somebody changed it since the version of the request was read.',
    tag: 'documents',
    params: TemplateParams,
    body: jsonBody(UpdateTemplate),
    answers: { 200: TemplateDetails },
    refuses: ['TemplateNotFound', 'TemplateChanged', 'OptionNotSupported'],
  },
  async ({ params, body, caller }) =>
    renderDetails(await replaceTemplate(caller, params.id, body, Date.now(), readPeople)),
);
