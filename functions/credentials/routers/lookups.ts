import { routeTo } from '../../../shared/http/router.ts';
import { credentials } from '../service.ts';

/** Short reads that consoles ask for, in one function. */
export const handler = routeTo(credentials, {
  'GET /api/history/{items}/{id}': () => import('../flows/endpoints/get-history.ts'),
  'GET /api/institutes': () => import('../tenants/endpoints/list-institutes.ts'),
  'GET /api/registrars': () => import('../tenants/endpoints/list-registrars.ts'),
});
