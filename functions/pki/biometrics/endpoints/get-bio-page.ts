import { PAGE } from '../../../../shared/http/declaration.ts';
import { languageFor } from '../../../../shared/ui/languages.ts';
import { pki } from '../../service.ts';
import { BioPageParams } from '../contract/page.ts';
import { bioPage } from '../pages/bio-page.ts';

/** The page at the address of a session. The address is the only credential of the person. */
export const handler = pki.endpoint(
  {
    route: 'GET /bio/sessions/{sessionId}',
    summary: 'The page of a biometric session',
    params: BioPageParams,
    answers: { 200: PAGE, 404: PAGE },
    access: 'public',
    undocumented: true,
  },
  async ({ params, query, headers }) =>
    bioPage(
      {
        sessionId: params.sessionId,
        token: String(query.token ?? ''),
        isHandedOver: query.handoff === '1',
        language: languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] }),
        userAgent: headers['user-agent'] ?? '',
        isEmbedded: headers['sec-fetch-dest'] === 'iframe',
      },
      Date.now(),
    ),
);
