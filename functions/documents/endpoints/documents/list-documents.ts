import { Documents, DocumentsQuery } from '../../contract/documents.ts';
import { listDocuments } from '../../domain/lists/list-documents.ts';
import { documents } from '../../service.ts';

export const handler = documents.endpoint(
  {
    route: 'GET /api/documents',
    can: 'documents.read',
    summary: 'List the documents of an organization or of a folder',
    description:
      'Answers one page of documents, newest first unless `order` says otherwise. Continue with `nextCursor`.',
    query: DocumentsQuery,
    answers: { 200: Documents },
    refuses: ['OrganizationRequired', 'OrganizationNotFound', 'FolderNotFound'],
  },
  async ({ query, caller }) => listDocuments(caller, query, Date.now()),
);
