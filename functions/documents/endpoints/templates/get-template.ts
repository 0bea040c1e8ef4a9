import { TemplateDetails, TemplateParams, TemplateQuery } from '../../contract/templates.ts';
import { findVersion, renderDetails } from '../../domain/templates/template.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/document-templates/{id}',
    can: 'templates.read',
    summary: 'Read a template',
    description: 'Answers the template as it was sent, with its version; or as it was in an earlier one.',
    tag: 'documents',
    params: TemplateParams,
    query: TemplateQuery,
    answers: { 200: TemplateDetails },
    refuses: ['TemplateNotFound'],
  },
  async ({ params, query, caller }) => renderDetails(await findVersion(caller, params.id, query.version)),
);
