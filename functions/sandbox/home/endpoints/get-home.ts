import { PAGE } from '../../../../shared/http/declaration.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { languageFor } from '../../../../shared/ui/languages.ts';
import { sandbox } from '../../service.ts';
import { homePage } from '../pages/home-page.ts';

/** The local engine serves it at its root too. */
export const handler = sandbox.endpoint(
  {
    route: 'GET /',
    summary: 'The home page of the local engine',
    answers: { 200: PAGE },
    access: 'public',
    undocumented: true,
  },
  async ({ query, headers }) =>
    homePage(
      commonSettings['Http:PublicUrl'],
      languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] }),
    ),
);
