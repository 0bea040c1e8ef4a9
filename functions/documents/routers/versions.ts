import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/** New files of a document, which are filled or merged in a thread of their own. */
export const handler = routeTo(documents, {
  'POST /api/documents/{id}/versions': () => import('../endpoints/documents/create-version.ts'),
  'POST /api/documents/{id}/envelope/versions': () =>
    import('../endpoints/documents/create-envelope-version.ts'),
});
