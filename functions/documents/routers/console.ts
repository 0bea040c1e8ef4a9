import { routeTo } from '../../../shared/http/router.ts';
import { unknownRoutePage } from '../../../shared/ui/unknown-route-page.ts';
import { documents } from '../service.ts';

/** The console of members: its pages and forms, and the log-in. */
export const handler = routeTo(
  documents,
  {
    'GET /console': () => import('../console/endpoints/show-console-page.ts'),
    'GET /console/{path+}': () => import('../console/endpoints/show-console-page.ts'),
    'POST /console/{path+}': () => import('../console/endpoints/submit-console-form.ts'),
    'POST /drafts/{id}/changes': () => import('../console/endpoints/change-draft.ts'),
    'POST /drafts/{id}/files': () => import('../console/endpoints/upload-console-files.ts'),
    'POST /drafts/versions/{id}': () => import('../console/endpoints/upload-console-files.ts'),
    'GET /login': () => import('../console/endpoints/show-login.ts'),
    'GET /login/{step}': () => import('../console/endpoints/show-login.ts'),
    'POST /login/{step}': () => import('../console/endpoints/submit-login.ts'),
  },
  documents.refuseUnknownRoute(unknownRoutePage('/documents/console')),
);
