import { PAGE } from '../../../../shared/http/declaration.ts';
import { credentials } from '../../service.ts';
import { findCredential } from '../domain/find-credential.ts';
import { credentialPage } from '../pages/credential-page.ts';
import { languageOf } from '../pages/frame.ts';
import { refusedPage, unknownPage } from '../pages/lookup-page.ts';

/** Enumeration: codes have 64 random bits, and every look-up counts for its network, found or not. */
export const handler = credentials.endpoint(
  {
    route: 'GET /verify/{code}',
    summary: 'The public page of a degree or transcript',
    answers: { 200: PAGE, 404: PAGE },
    access: 'public',
    rate: 'Verification',
    undocumented: true,
    refusalPage: (refusal, request) => refusedPage(languageOf(request), refusal, '..'),
  },
  async ({ params: { code = '' }, query, headers }) => {
    const language = languageOf({ query, headers });
    const found = await findCredential(code);
    return found ? credentialPage(language, found, Date.now()) : unknownPage(language, '..', code);
  },
);
