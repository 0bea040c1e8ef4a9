import { routeTo } from '../../../shared/http/router.ts';
import { batch } from '../service.ts';

/** The pages of operators and approvers, and the forms and calls of these pages. */
export const handler = routeTo(batch, {
  'GET /': () => import('../dashboard/endpoints/show-page.ts'),
  'GET /dashboard/{path+}': () => import('../dashboard/endpoints/show-page.ts'),
  'POST /dashboard/{path+}': () => import('../dashboard/endpoints/submit-form.ts'),
  'GET /login': () => import('../auth/endpoints/get-login-page.ts'),
  'POST /api/auth/login': () => import('../auth/endpoints/log-in.ts'),
  'POST /api/auth/logout': () => import('../auth/endpoints/log-out.ts'),
  'GET /api/auth/idp-login': () => import('../identity-provider/endpoints/begin-idp-login.ts'),
  'GET /api/auth/idp-callback': () => import('../identity-provider/endpoints/complete-idp-login.ts'),
  'POST /profiles/{name}/cloud-authorization': () =>
    import('../profiles/endpoints/begin-cloud-authorization.ts'),
  'GET /approvals/link/{token}': () => import('../approvals/endpoints/open-link.ts'),
  'GET /approvals': () => import('../approvals/endpoints/list-pending.ts'),
  'GET /approvals/decided': () => import('../approvals/endpoints/list-decided.ts'),
  'GET /approvals/jobs/{id}': () => import('../approvals/endpoints/get-approval-job.ts'),
  'POST /approvals/jobs/{id}/decision': () => import('../approvals/endpoints/decide-in-portal.ts'),
  'GET /approvals/second-factor': () => import('../approvals/endpoints/get-second-factor.ts'),
  'POST /approvals/second-factor/enrolment': () => import('../approvals/endpoints/begin-second-factor.ts'),
  'POST /approvals/second-factor/confirmation': () =>
    import('../approvals/endpoints/confirm-second-factor.ts'),
  'POST /approvals/jobs/{id}/signature': () => import('../approvals/endpoints/prepare-approver-signature.ts'),
  'POST /approvals/signatures/{attemptId}': () =>
    import('../approvals/endpoints/complete-approver-signature.ts'),
  'POST /approvals/signatures/{attemptId}/failure': () =>
    import('../approvals/endpoints/fail-approver-signature.ts'),
  'POST /approvals/jobs/{id}/cloud-signature': () =>
    import('../approvals/endpoints/begin-cloud-signature.ts'),
  'POST /approvals/leave': () => import('../approvals/endpoints/leave-portal.ts'),
});
