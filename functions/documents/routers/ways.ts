import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/** What the page at an action URL asks when the certificate is in the cloud or at a workstation. */
export const handler = routeTo(documents, {
  'POST /api/documents/keys/{key}/certificate': () => import('../endpoints/ways/look-for-certificate.ts'),
  'POST /api/documents/keys/{key}/cloud': () => import('../endpoints/ways/begin-cloud-visit.ts'),
  'GET /cloud/return': () => import('../endpoints/ways/return-from-cloud.ts'),
  'POST /api/documents/keys/{key}/token': () => import('../endpoints/ways/ask-for-token.ts'),
  'POST /api/documents/keys/{key}/token/answer': () => import('../endpoints/ways/await-token.ts'),
});
