import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { sandbox } from '../../service.ts';
import { returnPage } from '../pages/return-page.ts';

export const handler = pageEndpoint(sandbox, ANYBODY)(
  {
    route: 'GET /client/return',
    summary: 'Where a client application would take the user back',
    answers: { 200: PAGE },
    undocumented: false,
  },
  async ({ query }, { language }) => returnPage(query, language),
);
