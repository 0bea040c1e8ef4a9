import { basePathOf } from '../../../../shared/access/return-path.ts';
import { REDIRECT } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { documents } from '../../service.ts';

/** The former address of the webhooks' page, for links that were kept. The console asks for a log-in. */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'GET /webhooks',
    summary: 'Leads to the webhooks of the console',
    answers: { 303: REDIRECT },
  },
  async () => redirect(`${basePathOf('documents')}/console/organization/webhooks`, { status: 303 }),
);
