import { routeTo } from '../../../shared/http/router.ts';
import { pki } from '../service.ts';

/** What the page of a signature session asks when the certificate is in the cloud or at a workstation. */
export const handler = routeTo(pki, {
  'POST /api/signature-sessions/{sessionId}/certificate': () =>
    import('../signature-sessions/endpoints/ways/look-for-session-certificate.ts'),
  'POST /api/signature-sessions/{sessionId}/cloud': () =>
    import('../signature-sessions/endpoints/ways/begin-session-cloud-visit.ts'),
  'GET /cloud/return': () => import('../signature-sessions/endpoints/ways/return-from-session-cloud.ts'),
});
