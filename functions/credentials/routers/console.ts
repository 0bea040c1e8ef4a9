import { routeTo } from '../../../shared/http/router.ts';
import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { credentials } from '../service.ts';

/** The console of members: its pages and forms, and the log-in. */
export const handler = routeTo(
  credentials,
  {
    'GET /console': () => import('../console/endpoints/show-console-page.ts'),
    'GET /console/{path+}': () => import('../console/endpoints/show-console-page.ts'),
    'POST /console/{path+}': () => import('../console/endpoints/submit-console-form.ts'),
    'GET /login': () => import('../console/endpoints/show-login.ts'),
    'GET /login/{step}': () => import('../console/endpoints/show-login.ts'),
    'POST /login/{step}': () => import('../console/endpoints/submit-login.ts'),
  },
  credentials.refuseUnknownRoute(unknownRoutePage('/credentials/console')),
);
