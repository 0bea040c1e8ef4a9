import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { pki } from '../../service.ts';
import { BioPageParams } from '../contract/page.ts';
import { bioPage } from '../pages/bio-page.ts';

/** The page at the address of a session. The address is the only credential of the person. */
export const handler = pageEndpoint(pki, ANYBODY)(
  {
    route: 'GET /bio/sessions/{sessionId}',
    summary: 'The page of a biometric session',
    params: BioPageParams,
    answers: { 200: PAGE, 404: PAGE },
  },
  async ({ params, query, headers }, { language }) =>
    bioPage(
      {
        sessionId: params.sessionId,
        token: String(query.token ?? ''),
        isHandedOver: query.handoff === '1',
        language,
        userAgent: headers['user-agent'] ?? '',
        isEmbedded: headers['sec-fetch-dest'] === 'iframe',
      },
      Date.now(),
    ),
);
