import { routeTo } from '../../../shared/http/router.ts';
import { sandbox } from '../service.ts';

/** What anyone may have, and no store is asked for. */
export const handler = routeTo(sandbox, {
  'GET /': () => import('../home/endpoints/get-home.ts'),
  'GET /assets/{name}': () => import('../endpoints/get-asset.ts'),
  'GET /healthz': () => import('../endpoints/get-health.ts'),
  'ANY /{proxy+}': () => import('../endpoints/refuse-unknown-route.ts'),
});
