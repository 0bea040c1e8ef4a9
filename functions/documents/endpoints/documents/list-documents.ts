import { Documents, DocumentsQuery } from '../../contract/documents.ts';
import { listDocuments } from '../../domain/lists/list-documents.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents',
    summary: 'The documents of an organization, or of a folder',
    query: DocumentsQuery,
    answers: { 200: Documents },
    refuses: ['OrganizationRequired', 'OrganizationNotFound', 'FolderNotFound'],
  },
  async ({ query, caller }) => listDocuments(caller, query, Date.now()),
);
