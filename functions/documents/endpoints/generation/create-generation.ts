import { jsonBody } from '../../../../shared/http/body/reader.ts';
import { CreateGeneration, GenerationModel } from '../../contract/generation.ts';
import { CREATE_CODES } from '../../contract/refusals.ts';
import { createGeneration } from '../../domain/templates/generation/create-generation.ts';
import { renderGeneration } from '../../domain/templates/generation/read-generation.ts';
import { readPeople } from '../../http/read-people.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'POST /api/documents/generation',
    can: 'documents.send',
    summary: 'Make a document for each line of a table',
    description:
      'Fills a template with the values of each line, and starts the flow with the people of that line. It is done in the background, and each line becomes one document; a line that is refused stops no other.',
    tag: 'documents',
    body: jsonBody(CreateGeneration),
    answers: { 200: GenerationModel },
    refuses: [...CREATE_CODES, 'TemplateNotUsable', 'DataFileNotUsable'],
    once: true,
  },
  async ({ body, caller, once, deadlineAtMs, hangUp }) =>
    once(body, async () => {
      const options = { readPeople, now: Date.now, deadlineAtMs, hangUp };
      return renderGeneration(await createGeneration(caller, body, Date.now(), options));
    }),
);
