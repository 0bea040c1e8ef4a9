import { Templates, TemplatesQuery } from '../../contract/templates.ts';
import { listTemplates } from '../../domain/templates/template.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/document-templates',
    can: 'templates.read',
    summary: 'List the templates of an organization',
    description: 'Answers one page of templates, newest first unless `order` says otherwise.',
    tag: 'documents',
    query: TemplatesQuery,
    answers: { 200: Templates },
    refuses: ['OrganizationRequired', 'OrganizationNotFound'],
  },
  async ({ query, caller }) => listTemplates(caller, query),
);
