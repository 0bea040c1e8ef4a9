import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/** Folders, and what is moved between them. */
export const handler = routeTo(documents, {
  'POST /api/folders': () => import('../endpoints/folders/create-folder.ts'),
  'POST /api/folders/{id}/delete': () => import('../endpoints/folders/delete-folder-with-choice.ts'),
  'DELETE /api/folders/{id}': () => import('../endpoints/folders/delete-folder.ts'),
  'GET /api/folders/{id}/details': () => import('../endpoints/folders/get-folder-details.ts'),
  'GET /api/folders/{id}': () => import('../endpoints/folders/get-folder.ts'),
  'GET /api/folders': () => import('../endpoints/folders/list-folders.ts'),
  'POST /api/documents/{id}/folder': () => import('../endpoints/documents/move-document.ts'),
  'POST /api/documents/batch/folder': () => import('../endpoints/documents/move-documents.ts'),
});
