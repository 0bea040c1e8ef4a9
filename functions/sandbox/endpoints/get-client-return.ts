import { html } from '../../../shared/http/answer.ts';
import { PAGE } from '../../../shared/http/declaration.ts';
import { returnPage } from '../domain/return-page.ts';
import { sandbox } from '../service.ts';

export const handler = sandbox.endpoint(
  {
    route: 'GET /client/return',
    summary: 'Where a client application would take the user back',
    answers: { 200: PAGE },
    access: 'public',
  },
  async ({ query }) =>
    html(returnPage(query), { headers: { 'content-security-policy': "default-src 'none'" } }),
);
