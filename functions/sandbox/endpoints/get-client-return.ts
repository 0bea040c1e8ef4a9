import { PAGE } from '../../../shared/http/declaration.ts';
import { returnPage } from '../pages/return-page.ts';
import { sandbox } from '../service.ts';

export const handler = sandbox.endpoint(
  {
    route: 'GET /client/return',
    summary: 'Where a client application would take the user back',
    answers: { 200: PAGE },
    access: 'public',
  },
  async ({ query }) => returnPage(query),
);
