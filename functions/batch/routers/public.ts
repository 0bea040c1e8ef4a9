import { routeTo } from '../../../shared/http/router.ts';
import { batch } from '../service.ts';

/** What anyone may have, and no store is asked for. */
export const handler = routeTo(batch, {
  'GET /approve/{id}': () => import('../approvals/endpoints/get-approve-page.ts'),
  'POST /api/culture': () => import('../dashboard/endpoints/set-culture.ts'),
  'GET /branding/customer-logo': () => import('../endpoints/get-customer-logo.ts'),
  'GET /assets/{name}': () => import('../endpoints/get-asset.ts'),
  'GET /api/health': () => import('../endpoints/get-health.ts'),
  'GET /healthz': () => import('../endpoints/get-health.ts'),
  'GET /openapi/v1.json': () => import('../endpoints/get-openapi.ts'),
  'GET /scalar': () => import('../endpoints/get-reference.ts'),
  'GET /scalar/{path+}': () => import('../endpoints/get-reference.ts'),
  'ANY /{proxy+}': () => import('../endpoints/refuse-unknown-route.ts'),
});
