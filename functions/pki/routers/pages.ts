import { routeTo } from '../../../shared/http/router.ts';
import { pki } from '../service.ts';

/** The page of a biometric session, and the calls that it makes. */
export const handler = routeTo(pki, {
  'GET /bio/sessions/{sessionId}': () => import('../biometrics/endpoints/get-bio-page.ts'),
  'POST /bio/sessions/{sessionId}/captures': () => import('../biometrics/endpoints/begin-bio-capture.ts'),
  'POST /bio/sessions/{sessionId}/captures/current': () =>
    import('../biometrics/endpoints/submit-bio-capture.ts'),
  'POST /bio/sessions/{sessionId}/location': () => import('../biometrics/endpoints/give-bio-location.ts'),
  'POST /bio/sessions/{sessionId}/abortion': () => import('../biometrics/endpoints/abort-bio-session.ts'),
  'POST /bio/sessions/{sessionId}/return': () => import('../biometrics/endpoints/return-bio-session.ts'),
});
