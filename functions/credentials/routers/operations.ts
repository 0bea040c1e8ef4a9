import { routeTo } from '../../../shared/http/router.ts';
import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { credentials } from '../service.ts';

/**
 * The operations that are short, or seldom called, in one function. It has every path below `/api` that no other
 * function has (infra/plugins/fold-paths.ts), with what is no operation among them.
 */
export const handler = routeTo(
  credentials,
  {
    'GET /api/history/{items}/{id}': () => import('../flows/endpoints/get-history.ts'),
    'GET /api/registrars': () => import('../emissions/endpoints/list-registrars.ts'),
    'GET /api/subscriptions/{id}/institutes': () => import('../endpoints/institutes/list-institutes.ts'),
    'PUT /api/institutes/{id}/signers': () => import('../endpoints/institutes/set-signers.ts'),
    'GET /api/subscriptions/{id}/members': () => import('../endpoints/members/list-members.ts'),
    'POST /api/subscriptions/{id}/members': () => import('../endpoints/members/invite-member.ts'),
    'PUT /api/subscriptions/{id}/members/{memberId}': () => import('../endpoints/members/change-member.ts'),
    'DELETE /api/subscriptions/{id}/members/{memberId}': () =>
      import('../endpoints/members/remove-member.ts'),
    'GET /api/subscriptions/{id}/integrations': () =>
      import('../webhooks/endpoints/get-subscription-integration.ts'),
    'POST /api/subscriptions/{id}/integrations': () =>
      import('../webhooks/endpoints/set-subscription-integration.ts'),
    'GET /api/institutes/{id}/integrations': () =>
      import('../webhooks/endpoints/get-institute-integration.ts'),
    'POST /api/institutes/{id}/integrations': () =>
      import('../webhooks/endpoints/set-institute-integration.ts'),
  },
  credentials.refuseUnknownRoute(unknownRoutePage('/credentials/console')),
);
