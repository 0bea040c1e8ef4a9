import { PAGE, REDIRECT } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { redirect } from '../../../../shared/http/response/answer.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { pageToReturnTo } from '../../domain/electronic/show-face.ts';
import { deadLinkPage } from '../../pages/action/dead-link.ts';
import { documents } from '../../service.ts';

/** Leads somebody who has shown their face back to the document. What came of it, the page asks the PKI core. */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'GET /liveness/return',
    summary: 'Come back from a biometric session',
    answers: { 302: REDIRECT, 410: PAGE },
  },
  async ({ cookies }, { language }) => {
    const page = pageToReturnTo(cookies);
    return page === undefined ? deadLinkPage('expired', { language, isEmbedded: false }) : redirect(page);
  },
);
