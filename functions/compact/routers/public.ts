import { routeTo } from '../../../shared/http/router.ts';
import { compact } from '../service.ts';

/** What anyone may have, and no store is asked for. */
export const handler = routeTo(compact, {
  'GET /healthz': () => import('../endpoints/get-liveness.ts'),
  'GET /openapi/v1.json': () => import('../endpoints/get-openapi.ts'),
  'GET /': () => import('../endpoints/get-reference.ts'),
  'GET /scalar': () => import('../endpoints/get-reference.ts'),
  'GET /scalar/{path+}': () => import('../endpoints/get-reference.ts'),
  'ANY /{proxy+}': () => import('../endpoints/refuse-unknown-route.ts'),
});
