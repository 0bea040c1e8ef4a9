import { PAGE } from '../../../../shared/http/declaration.ts';
import { languageFor } from '../../../../shared/ui/languages.ts';
import { sandbox } from '../../service.ts';
import { returnPage } from '../pages/return-page.ts';

export const handler = sandbox.endpoint(
  {
    route: 'GET /client/return',
    summary: 'Where a client application would take the user back',
    answers: { 200: PAGE },
    access: 'public',
  },
  async ({ query, headers }) =>
    returnPage(query, languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] })),
);
