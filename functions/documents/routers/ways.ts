import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/** What the page at an action URL asks when the certificate is in the cloud or at a workstation. */
export const handler = routeTo(documents, {
  'POST /api/documents/keys/{key}/certificate': () => import('../endpoints/ways/look-for-certificate.ts'),
  'POST /api/documents/keys/{key}/cloud': () => import('../endpoints/ways/begin-cloud-visit.ts'),
  'POST /api/documents/keys/{key}/others': () => import('../endpoints/ways/find-other-documents.ts'),
  'GET /cloud/return': () => import('../endpoints/ways/return-from-cloud.ts'),
});
