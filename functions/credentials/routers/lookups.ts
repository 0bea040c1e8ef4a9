import { routeTo } from '../../../shared/http/router.ts';
import { credentials } from '../service.ts';

/** Short reads that consoles ask for, in one function. */
export const handler = routeTo(credentials, {
  'GET /api/history/{items}/{id}': () => import('../flows/endpoints/get-history.ts'),
  'GET /api/registrars': () => import('../emissions/endpoints/list-registrars.ts'),
});
