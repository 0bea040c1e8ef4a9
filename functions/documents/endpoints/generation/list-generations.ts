import { Generations, GenerationsQuery } from '../../contract/generation.ts';
import { listGenerations } from '../../domain/templates/generation/read-generation.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents/generation',
    can: 'documents.read',
    summary: 'List the newest generations of an organization',
    description: 'Answers the newest generations of the last 400 days, newest first.',
    tag: 'documents',
    query: GenerationsQuery,
    answers: { 200: Generations },
    refuses: ['OrganizationRequired', 'OrganizationNotFound'],
  },
  async ({ query, caller }) => listGenerations(caller, query),
);
