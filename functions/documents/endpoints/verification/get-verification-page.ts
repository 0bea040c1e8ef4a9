import { Problem } from '../../../../shared/errors/errors.ts';
import { PAGE } from '../../../../shared/http/declaration.ts';
import { pageEndpoint } from '../../../../shared/http/page-endpoint.ts';
import { ANYBODY } from '../../../../shared/ui/languages.ts';
import { verificationPage } from '../../pages/verification/page.ts';
import { documents } from '../../service.ts';
import { settings } from '../../settings.ts';

/** An empty page: its script sends a file to POST /api/verification and shows the report. */
export const handler = pageEndpoint(documents, ANYBODY)(
  {
    route: 'GET /verification',
    summary: 'A page at which anyone has a signed file verified, where that is public',
    answers: { 200: PAGE },
  },
  async ({ method, path }, { language }) => {
    if (!settings['Verification:Public']) throw new Problem('noRoute', { method, path });
    return verificationPage(language, settings['Verification:MaxFileBytes']);
  },
);
