import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { sandbox } from '../../service.ts';
import { homePage } from '../pages/home-page.ts';

/** The local engine serves it at its root too. */
export const handler = pageEndpoint(sandbox, ANYBODY)(
  {
    route: 'GET /',
    summary: 'The home page of the local engine',
    answers: { 200: PAGE },
  },
  async (_, { language }) => homePage(commonSettings['Http:PublicUrl'], language),
);
