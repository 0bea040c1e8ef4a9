import { routeTo } from '../../../shared/http/router.ts';
import { batch } from '../service.ts';

/** Actions on all jobs of a filter. */
export const handler = routeTo(batch, {
  'POST /api/jobs/bulk': () => import('../jobs/endpoints/start-bulk.ts'),
  'GET /api/jobs/bulk': () => import('../jobs/endpoints/list-bulks.ts'),
  'GET /api/jobs/bulk/{id}': () => import('../jobs/endpoints/get-bulk.ts'),
  'POST /api/jobs/bulk/{id}/stop': () => import('../jobs/endpoints/stop-bulk.ts'),
});
