import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { GenerationModel } from '../../contract/generation.ts';
import { CREATE_CODES } from '../../contract/refusals.ts';
import { TemplateParams, UseTemplateForMany } from '../../contract/templates.ts';
import { renderGeneration } from '../../domain/templates/generation/read-generation.ts';
import { generateByTemplate } from '../../domain/templates/use-template.ts';
import { readPeople } from '../../http/read-people.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/document-templates/{id}/generation',
    can: 'documents.send',
    summary: 'Make a document for each line of a table, by a template',
    description: 'As POST /api/documents/generation, with the flow of the template.',
    tag: 'documents',
    params: TemplateParams,
    body: jsonBody(UseTemplateForMany),
    answers: { 200: GenerationModel },
    refuses: [...CREATE_CODES, 'TemplateNotFound', 'TemplateNotUsable', 'DataFileNotUsable'],
    once: true,
  },
  async ({ params, body, caller, once, deadlineAtMs, hangUp }) =>
    once(body, async () => {
      const options = { readPeople, now: Date.now, deadlineAtMs, hangUp };
      return renderGeneration(await generateByTemplate(caller, params.id, body, Date.now(), options));
    }),
);
