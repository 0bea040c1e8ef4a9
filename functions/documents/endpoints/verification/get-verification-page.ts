import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { verificationPage } from '../../pages/verification/page.ts';
import { documents } from '../../service.ts';
import { settings } from '../../settings.ts';

/** An empty page: its script looks a code up, or sends a file to POST /api/verification, and shows the report. */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'GET /verification',
    summary:
      'A page at which anyone has a document verified by its code, and a signed file where that is public',
    answers: { 200: PAGE },
  },
  async (_, { language }) =>
    verificationPage(language, {
      maxFileBytes: settings['Verification:MaxFileBytes'],
      takesFiles: settings['Verification:Public'],
    }),
);
