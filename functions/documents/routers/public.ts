import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/** What anyone may have, and no store is asked for. */
export const handler = routeTo(documents, {
  'GET /verification': () => import('../endpoints/verification/get-verification-page.ts'),
  'GET /webhooks': () => import('../endpoints/webhooks/redirect-to-webhooks.ts'),
  'GET /embed.js': () => import('../endpoints/get-embed-script.ts'),
  'GET /assets/{name}': () => import('../endpoints/get-asset.ts'),
  'GET /healthz': () => import('../endpoints/get-health.ts'),
  'GET /openapi/v1.json': () => import('../endpoints/get-openapi.ts'),
  'GET /': () => import('../endpoints/get-reference.ts'),
  'GET /scalar': () => import('../endpoints/get-reference.ts'),
  'GET /scalar/{path+}': () => import('../endpoints/get-reference.ts'),
  'ANY /{proxy+}': () => import('../endpoints/refuse-unknown-route.ts'),
});
