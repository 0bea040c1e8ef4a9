import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/**
 * The page at an action URL, what it shows, what its plain forms send, and what it asks when the certificate is in the cloud
 * or at a workstation.
 */
export const handler = routeTo(documents, {
  'GET /document/key/{key}/action': () => import('../endpoints/signing/get-action-page.ts'),
  'GET /document/key/{key}/embed': () => import('../endpoints/signing/get-action-page.ts'),
  'POST /document/key/{key}/code': () => import('../endpoints/signing/send-or-check-code.ts'),
  'POST /document/key/{key}/electronic': () => import('../endpoints/signing/sign-at-page.ts'),
  'GET /liveness/return': () => import('../endpoints/signing/return-from-liveness.ts'),
  'GET /api/documents/keys/{key}/details': () => import('../endpoints/signing/get-action-details.ts'),
  'POST /api/documents/keys/{key}/certificate': () => import('../endpoints/ways/look-for-certificate.ts'),
  'POST /api/documents/keys/{key}/cloud': () => import('../endpoints/ways/begin-cloud-visit.ts'),
  'POST /api/documents/keys/{key}/others': () => import('../endpoints/ways/find-other-documents.ts'),
  'GET /cloud/return': () => import('../endpoints/ways/return-from-cloud.ts'),
});
