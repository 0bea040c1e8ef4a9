import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { sandboxAccess } from '../../../../shared/settings/sandbox.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { webhooksPage } from '../../pages/webhooks/page.ts';
import { documents } from '../../service.ts';

/** Public, because the page itself is empty: its script reads everything with the visitor's own API key. On the local stage that of the sandbox is filled in. */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'GET /webhooks',
    summary: 'A page for operators: webhooks and their deliveries',
    answers: { 200: PAGE },
  },
  async (_, { language }) => webhooksPage(language, sandboxAccess()),
);
