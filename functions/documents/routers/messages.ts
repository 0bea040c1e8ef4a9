import { routeTo } from '../../../shared/http/router.ts';
import { documents } from '../service.ts';

/** Who is told of what. */
export const handler = routeTo(documents, {
  'POST /api/users/notify-pending': () => import('../endpoints/notifications/notify-pending.ts'),
  'POST /api/notifications/flow-action-reminder': () =>
    import('../endpoints/notifications/remind-flow-action.ts'),
  'PUT /api/documents/{id}/notified-emails': () =>
    import('../endpoints/notifications/update-notified-emails.ts'),
});
