import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { waysOffered } from '../../../../shared/ways/offered.ts';
import { pki } from '../../service.ts';
import { settings } from '../../settings.ts';
import { signatureSessionPage } from '../pages/signature-session-page.ts';

/** Says nothing of any session: what it shows, its script asks for with the token. */
export const handler = pageEndpoint(pki, ANYBODY)(
  {
    route: 'GET /signature-sessions/{sessionId}',
    summary: 'The page at which a person signs',
    answers: { 200: PAGE },
  },
  async ({ params: { sessionId = '' } }, { language }) =>
    signatureSessionPage(sessionId, language, waysOffered(settings)),
);
