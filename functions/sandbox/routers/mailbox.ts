import { routeTo } from '../../../shared/http/router.ts';
import { sandbox } from '../service.ts';

/** The mail that the services sent, as pages and as JSON. */
export const handler = routeTo(sandbox, {
  'GET /mailbox': () => import('../mailbox/endpoints/list-mailboxes.ts'),
  'GET /mailbox/{address}': () => import('../mailbox/endpoints/list-mail.ts'),
  'GET /mailbox/{address}/{id}': () => import('../mailbox/endpoints/get-mail.ts'),
  'GET /mailbox/{address}/{id}/html': () => import('../mailbox/endpoints/get-mail-html.ts'),
});
