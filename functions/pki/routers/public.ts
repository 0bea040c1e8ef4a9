import { routeTo } from '../../../shared/http/router.ts';
import { pki } from '../service.ts';

/** What anyone may have, and no store is asked for. */
export const handler = routeTo(pki, {
  'GET /signature-sessions/{sessionId}': () =>
    import('../signature-sessions/endpoints/get-signature-session-page.ts'),
  'GET /assets/{name}': () => import('../endpoints/get-asset.ts'),
  'GET /Api/System/Info': () => import('../endpoints/get-system-info.ts'),
  'GET /healthz': () => import('../endpoints/get-health.ts'),
  'GET /openapi/v1.json': () => import('../endpoints/get-openapi.ts'),
  'GET /': () => import('../endpoints/get-reference.ts'),
  'GET /scalar': () => import('../endpoints/get-reference.ts'),
  'GET /scalar/{path+}': () => import('../endpoints/get-reference.ts'),
  'ANY /{proxy+}': () => import('../endpoints/refuse-unknown-route.ts'),
});
