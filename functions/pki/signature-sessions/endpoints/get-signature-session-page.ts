import { PAGE } from '../../../../shared/http/declaration.ts';
import { languageFor } from '../../../../shared/ui/languages.ts';
import { pki } from '../../service.ts';
import { signatureSessionPage } from '../pages/signature-session-page.ts';

/** Says nothing of any session: what it shows, its script asks for with the token. */
export const handler = pki.endpoint(
  {
    route: 'GET /signature-sessions/{sessionId}',
    summary: 'The page at which a person signs',
    answers: { 200: PAGE },
    access: 'public',
    undocumented: true,
  },
  async ({ params: { sessionId = '' }, query, headers }) =>
    signatureSessionPage(
      sessionId,
      languageFor({ lang: query.lang, acceptLanguage: headers['accept-language'] }),
    ),
);
