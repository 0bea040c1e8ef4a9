import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { credentials } from '../../service.ts';
import { findCredential } from '../domain/find-credential.ts';
import { credentialPage } from '../pages/credential-page.ts';
import { refusedPage, unknownPage } from '../pages/lookup-page.ts';

/** Enumeration: codes have 64 random bits, and every look-up counts for its network, found or not. */
export const handler = pageEndpoint(credentials, {
  ...ANYBODY,
  refusalPage: (refusal, { language }) => refusedPage(language, refusal, '..'),
})(
  {
    route: 'GET /verify/{code}',
    summary: 'The public page of a degree or transcript',
    answers: { 200: PAGE, 404: PAGE },
    rate: 'Verification',
  },
  async ({ params: { code = '' } }, { language }) => {
    const found = await findCredential(code);
    return found ? credentialPage(language, found, Date.now()) : unknownPage(language, '..', code);
  },
);
