import { EMPTY } from '../../../../shared/http/declaration.ts';
import { empty } from '../../../../shared/http/response/answer.ts';
import { TemplateParams } from '../../contract/templates.ts';
import { deleteTemplate } from '../../domain/templates/store-template.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'DELETE /api/document-templates/{id}',
    can: 'templates.change',
    summary: 'Delete a template',
    description: 'Documents that were made of it stay.',
    tag: 'documents',
    params: TemplateParams,
    answers: { 204: EMPTY },
    refuses: ['TemplateNotFound'],
  },
  async ({ params, caller }) => {
    await deleteTemplate(caller, params.id);
    return empty(204);
  },
);
