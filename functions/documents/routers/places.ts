import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/** Folders, and what is moved between them. */
export const handler = routeTo(documents, {
  'GET /api/folders/{id}': () => import('../endpoints/folders/get-folder.ts'),
  'POST /api/folders/{id}/delete': () => import('../endpoints/folders/delete-folder-with-choice.ts'),
  'POST /api/documents/batch/folder': () => import('../endpoints/documents/move-documents.ts'),
});
