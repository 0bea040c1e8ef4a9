import { TemplateDetails, TemplateParams } from '../../contract/templates.ts';
import { findTemplate, renderDetails } from '../../domain/templates/template.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/document-templates/{id}',
    summary: 'Read a template',
    description: 'Answers the template as it was sent, with its version.',
    tag: 'documents',
    params: TemplateParams,
    answers: { 200: TemplateDetails },
    refuses: ['TemplateNotFound'],
  },
  async ({ params, caller }) => renderDetails(await findTemplate(caller, params.id)),
);
